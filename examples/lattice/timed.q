A[] pool.has(ANSWER) imply total >= 2

E<> Sender.Done

A[] Sender.Waiting imply total <= LIMIT

sup: sent
