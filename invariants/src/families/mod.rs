//! The candidate families, one file each.
