//! Store, open lists and the one expansion loop that every search is a preset of.
