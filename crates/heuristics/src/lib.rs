//! Estimates of the distance to the goal, one file each.
