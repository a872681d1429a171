//! `LS0204`, a **kernel of which only defects were looked for**.
//!
//! No defect was found within the iterations that were executed (`--findbugs`, `--loop-unwind`). That is no proof: leave the
//! option out for one.

/// The stable code.
pub const CODE: &str = "LS0204";
/// The name of the kind.
pub const KIND: &str = "no-defect-found";
