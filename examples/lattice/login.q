A[] forall (i : user_t) forall (j : user_t) (User(i).Working && User(j).Working imply i == j)
