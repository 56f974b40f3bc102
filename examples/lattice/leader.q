A[] forall (i : agent_t) (Agent(i).Leader imply i == N - 1)
