//! Versions of Lockstep and of what it really runs on.
