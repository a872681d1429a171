//! What Lockstep has to say about a kernel, as plain data. The renderers in [`lockstep_report`] show it.
//!
//! Workers send it to the process that asked for it, which is what the types are serialised for. Reports in JSON have types of
//! their own.

pub mod hinge;
mod names;
pub mod picture;
pub mod reason;
pub mod rule;

use indexmap::IndexMap;
use lockstep_ir::assumption::Assumptions;
use lockstep_ir::source::Place;
use serde::{Deserialize, Serialize};

use hinge::Hinge;
use names::{Name, known_name, known_name_if_any};
use picture::{Listing, Picture};
use reason::Reason;

/// The verdict on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// No input, no schedule, no pair of threads breaks a property.
    Verified,
    /// A run breaks one; with `--strict`, a counterexample that no run has shown does too ([`rule`]).
    Defect,
    /// Neither was shown. Possible findings are warnings.
    Unknown,
    /// Lockstep itself failed.
    Error,
}

impl Verdict {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Defect => "defect",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }
}

/// What an unknown verdict comes from; of several causes the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Undecided {
    /// Only defects were looked for, and none was found.
    NoDefectFound,
    /// The proof does not succeed, and no defect is found.
    Unproved,
    /// The time, or the effort that stands for it, is spent.
    OutOfTime,
    /// The memory is spent.
    OutOfMemory,
    /// The sequential program cannot say what the kernel does.
    NotLowered,
    /// A construct of the source is not supported.
    NotRead,
    /// There are findings, and no run has confirmed one of them.
    Unconfirmed,
}

/// Everything that is reported about one kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KernelReport {
    /// The kernel's name.
    pub name: String,
    /// The source file.
    pub file: String,
    /// The line of its declaration; 0 if unknown.
    pub line: u32,
    /// The number of the input that it was read from, among those of the run.
    pub input: usize,
    /// Threads per group, per dimension; `None` is open.
    pub block: Vec<Option<u32>>,
    /// Groups, per dimension; `None` is open.
    pub grid: Vec<Option<u32>>,
    /// Threads in the launch, per dimension, where they are given and group size and count are open; `None` is open.
    pub threads: Vec<Option<u32>>,
    /// The first global id, per dimension; empty if it is 0.
    pub offset: Vec<u32>,
    /// The bytes of dynamic shared memory (`extern __shared__`), where the kernel has such and the source's launch says how many.
    pub shared_bytes: Option<u64>,
    /// Where the source launches the kernel with these sizes, files and lines; empty if they come from elsewhere.
    pub launched_at: Vec<(String, u32)>,
    /// Where the source lets the kernel's address go, files and lines, if the launch stands for those that come of it.
    pub escapes_at: Vec<(String, u32)>,
    /// Where that launch is recorded, files and lines (`--json`); empty if it is not a recorded one.
    pub recorded_at: Vec<(String, u32)>,
    /// The scalar parameters that the command line fixes, with their values.
    pub arguments: Vec<(String, String)>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reasons why it is unknown or an error.
    pub reasons: Vec<Reason>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// The assumptions that the verdict rests on.
    pub assumptions: Assumptions,
    /// What it cost.
    pub statistics: Statistics,
    /// What a second solver says of the proof, if it was asked (`--recheck`).
    pub rechecked: Option<Rechecked>,
    /// Of a verdict that is unknown or an error: what [`Finding::fingerprint`] is of a finding.
    pub fingerprint: String,
    /// What of this report is in the baseline.
    pub known: Known,
    /// The files of the source whose text may be shown, by their names in the findings: those that were read for this kernel.
    pub sources: Vec<String>,
    /// The sequential programs, if the report has room for them.
    pub listings: Vec<Listing>,
}

impl KernelReport {
    /// The class of an unknown verdict: the greatest of its reasons'; `None` for other verdicts.
    pub fn undecided(&self) -> Option<Undecided> {
        let of_reasons = self.reasons.iter().filter_map(Reason::undecided).max();
        (self.verdict == Verdict::Unknown).then(|| of_reasons.unwrap_or(Undecided::Unproved))
    }

    /// The place of a construct that is not supported, if that is why the verdict is unknown.
    pub fn refused_at(&self) -> Option<&Place> {
        self.reasons.iter().find_map(Reason::refused_at)
    }

    /// Whether all that there is to say against the kernel is in the baseline. A fault of Lockstep itself never is.
    pub fn is_known(&self) -> bool {
        match self.verdict {
            Verdict::Verified | Verdict::Error => false,
            Verdict::Defect => self.has_only_known_findings(),
            // What is possible stands for the verdict.
            Verdict::Unknown if self.undecided() == Some(Undecided::Unconfirmed) => self.has_only_known_findings(),
            Verdict::Unknown => self.known.verdict,
        }
    }

    fn has_only_known_findings(&self) -> bool {
        self.findings.is_empty() && !self.known.findings.is_empty()
    }
}

/// What an earlier report has already, that is given as a baseline. The verdict on the kernel stays what it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Findings, which are no longer among [`KernelReport::findings`].
    pub findings: Vec<Finding>,
    /// That the kernel is unknown.
    pub verdict: bool,
}

/// A defect, or what may be one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable code, `LS0101`.
    #[serde(deserialize_with = "known_name")]
    pub code: Name,
    /// The kind: `race`, `barrier-divergence`, `out-of-bounds`, `assertion`, `constant-write`,
    /// `null-dereference`, …
    #[serde(deserialize_with = "known_name")]
    pub kind: Name,
    /// For races: `write-write`, `write-read`, `read-write`, `atomic-write`…, thread 1's access first.
    pub subkind: Option<String>,
    /// `intra-group` or `inter-group`, for races.
    #[serde(deserialize_with = "known_name_if_any")]
    pub scope: Option<Name>,
    /// Whether a concrete run reproduced it.
    pub confirmed: bool,
    /// Whether it is shown as a warning: it is only possible, and `--strict` is not given ([`rule`]).
    pub is_warning: bool,
    /// The facts that it hinges on; once it is confirmed, the parameters alone.
    pub hinges: Vec<Hinge>,
    /// If confirmed: the launch that reproduces it.
    pub witness: Option<Witness>,
    /// The array concerned.
    pub array: Option<String>,
    /// Where in it, in bytes.
    pub offset_bytes: Option<u64>,
    /// The same place as the source would write it: `tile[3][4]`, `A[12] (byte 2)`.
    pub place: Option<String>,
    /// The accesses, or the two threads' positions at a barrier. One or two.
    pub accesses: Vec<AccessShown>,
    /// The kernel's scalar parameters in the run.
    pub parameters: IndexMap<String, String>,
    /// Threads per group in the run.
    pub block: Vec<u64>,
    /// Groups in the run.
    pub grid: Vec<u64>,
    /// Says that a finding of another run is the same one ([`lockstep_report::fingerprint`]); empty until it is computed.
    pub fingerprint: String,
    /// What a picture of it shows, if the report is drawn.
    pub picture: Option<Picture>,
}

/// A launch that reproduces a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// What `lockstep run` is given besides the file, the kernel's name and the flags under which it was verified.
    pub words: Vec<String>,
}

/// A thread's access in a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessShown {
    /// The source file.
    pub file: String,
    /// The line, 0 if unknown.
    pub line: u32,
    /// The column, 0 if unknown.
    pub column: u32,
    /// `read`, `write`, `atomic`, `async-read`, `async-write`; `reaches` and `does not reach` for barriers.
    pub access: String,
    /// The thread's group.
    pub block: Vec<u64>,
    /// The thread in its group.
    pub thread: Vec<u64>,
    /// The iterations of the loops around the access, outermost first.
    pub loops: Vec<LoopIteration>,
    /// The calls the access was inlined through, innermost first.
    pub stack: Vec<Frame>,
    /// The place as an expression of the source's names, and its value: `index gid + offset = 7 + 1 = 8`,
    /// `pixel (x, 0) = (3, 0)`; empty if there is nothing to tell.
    pub arithmetic: String,
}

/// An iteration of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopIteration {
    /// The source file of the loop.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Which iteration, from 0.
    pub iteration: u64,
    /// How many of the calls that lead to the access lead to the loop too.
    pub calls: usize,
}

/// A call that was inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    /// The file of the call.
    pub file: String,
    /// The line of the call.
    pub line: u32,
    /// The column of the call.
    pub column: u32,
}

/// What a verdict cost. Programs for several pairs of threads are decided side by side: the seconds of the stages, like
/// the counts, are sums over them, and may exceed those that passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Seconds that passed until the kernel was decided, its share of the import included.
    pub wall_seconds: f64,
    /// Seconds in Clang and the import, shared evenly among the kernels of a file.
    pub frontend_seconds: f64,
    /// Seconds from kernel IR to sequential programs.
    pub lower_seconds: f64,
    /// Seconds of invariant inference.
    pub infer_seconds: f64,
    /// Seconds of discharging obligations and searching defects.
    pub prove_seconds: f64,
    /// Candidate invariants proposed.
    pub candidates_proposed: usize,
    /// Candidate invariants proved.
    pub candidates_kept: usize,
    /// Assertions proved.
    pub obligations: usize,
    /// Calls of the solver.
    pub queries: usize,
    /// The process's peak memory so far, in bytes.
    pub peak_rss_bytes: u64,
}

/// What a second solver says of a proof.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rechecked {
    /// The command.
    pub solver: String,
    /// Seconds that it had for a question.
    pub limit_seconds: f64,
    /// Questions that it answered as the proof needs it, by `unsat`.
    pub unsatisfiable: usize,
    /// Questions that it did not decide in time.
    pub undecided: usize,
    /// Questions to which it gave no answer, ...
    pub failed: usize,
    /// ... and what it did instead the first time.
    pub failure: Option<String>,
    /// Claims that are true by construction, which it is not asked about.
    pub by_construction: usize,
    /// Seconds that all of it took.
    pub seconds: f64,
}
