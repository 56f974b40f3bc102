A[] not (level[0] > 12 || level[1] > 12)
A[] Pump.Filling imply not (since > 5)
E<> Pump.Idle && seen.drift.mayBeNegative() && seen.rounds.mayBeOdd()
sup: level[0].high
