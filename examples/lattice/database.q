A[] not logins.mayBeFull()
