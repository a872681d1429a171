//! `LS0204`, a **kernel that was only searched for defects**.
//!
//! No defect was found within the iterations that were executed (`--findbugs`, `--loop-unwind`).
//! This is not a proof; omit the option to attempt one.

/// The stable code.
pub const CODE: &str = "LS0204";
/// The name of the kind.
pub const KIND: &str = "no-defect-found";
