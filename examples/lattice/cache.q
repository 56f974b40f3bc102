sup: time
