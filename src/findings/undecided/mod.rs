//! Kernels without an answer: the reasons, one file per kind.
//!
//! | code | kind |
//! |---|---|
//! | `LS0201` | [`unproved`] |
//! | `LS0202` | [`out_of_time`] |
//! | `LS0203` | [`unsupported`] |
//! | `LS0204` | [`no_defect_found`] |
//! | `LS0205` | [`fault`] |
//! | `LS0206` | [`out_of_memory`] |

pub mod fault;
pub mod no_defect_found;
pub mod out_of_memory;
pub mod out_of_time;
pub mod unproved;
pub mod unsupported;

use lockstep_verdict::{KernelReport, Undecided, Verdict};

use crate::manual::{Kind, kinds};

/// Every kind, in the order of the codes.
pub const KINDS: [Kind; 6] = kinds![unproved, out_of_time, unsupported, no_defect_found, fault, out_of_memory];

/// The code for a report without an answer; `None` if it has one.
///
/// A kernel with possible findings has no code: the findings are shown in its place.
pub fn code(report: &KernelReport) -> Option<&'static str> {
    let cause = || report.cause().unwrap_or(Undecided::Unproved);
    match report.verdict {
        Verdict::Unknown if cause() == Undecided::Unconfirmed => None,
        // Outside of its precondition, the kernel fails.
        Verdict::Conditional if report.reasons.is_empty() => None,
        Verdict::Verified | Verdict::Defect => None,
        Verdict::Error => Some(fault::CODE),
        Verdict::Unknown | Verdict::Conditional => Some(match cause() {
            Undecided::Unproved | Undecided::Unconfirmed => unproved::CODE,
            Undecided::OutOfTime => out_of_time::CODE,
            Undecided::OutOfMemory => out_of_memory::CODE,
            Undecided::NotLowered | Undecided::NotRead => unsupported::CODE,
            Undecided::NoDefectFound => no_defect_found::CODE,
        }),
    }
}
