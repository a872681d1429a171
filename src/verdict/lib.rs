//! The verdict on a kernel, with all that is reported about it, as plain data. The renderers in
//! [`lockstep_report`] show it.
//!
//! Workers send it to the process that requested it; the types are serialisable for this purpose.
//! Reports in JSON have types of their own.

pub mod act;
pub mod fix;
pub mod hinge;
pub mod lack;
pub mod locks;
mod names;
pub mod picture;
pub mod reason;
pub mod rule;

use indexmap::IndexMap;
use lockstep_ir::assumption::Assumptions;
use lockstep_ir::source::Place;
use serde::{Deserialize, Serialize};

use act::Act;
use fix::Fix;
use hinge::Hinge;
use lack::Lack;
use locks::Locks;
use names::{Name, known_name, known_name_if_any};
use picture::{Listing, Picture};
use reason::Reason;

/// The verdict on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// No input, no schedule, no pair of threads breaks a property.
    Verified,
    /// Verified under a precondition that was found. Outside of it a run breaks a property, or a
    /// counterexample does that no run has shown.
    Conditional,
    /// A run breaks a property. With `--strict`, a counterexample that no run has shown counts as
    /// well ([`rule`]).
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
            Self::Conditional => "conditional",
            Self::Defect => "defect",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }
}

/// The cause of an unknown verdict; of several causes the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Undecided {
    /// Lockstep only searched for defects, and found none.
    NoDefectFound,
    /// The proof does not succeed, and no defect is found.
    Unproved,
    /// The time limit, or the effort that stands for it, is exhausted.
    OutOfTime,
    /// The memory limit is exhausted.
    OutOfMemory,
    /// Lowering to the sequential program does not support the kernel.
    NotLowered,
    /// A construct of the source is not supported.
    NotRead,
    /// There are findings, none of which a run has confirmed.
    Unconfirmed,
}

/// All results for one kernel.
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
    /// Threads in the launch, per dimension, if they are given while group size and count are open;
    /// `None` is open.
    pub threads: Vec<Option<u32>>,
    /// The first global id, per dimension; empty if it is 0.
    pub offset: Vec<u32>,
    /// The bytes of dynamic shared memory (`extern __shared__`), if the kernel has such memory and
    /// the source's launch gives its size.
    pub shared_bytes: Option<u64>,
    /// The places (file and line) where the source launches the kernel with these sizes; empty if
    /// the sizes have another origin.
    pub launched_at: Vec<(String, u32)>,
    /// The places (file and line) where the source lets the kernel's address escape, if the launch
    /// stands for the launches through that address.
    pub escapes_at: Vec<(String, u32)>,
    /// The places (file and line) where the launch is recorded (`--json`); empty if it is not a
    /// recorded one.
    pub recorded_at: Vec<(String, u32)>,
    /// The scalar parameters that the command line fixes, with their values.
    pub arguments: Vec<(String, String)>,
    /// The verdict.
    pub verdict: Verdict,
    /// The launch that the program makes without options, if it was decided by itself.
    pub by_default: Option<ByDefault>,
    /// The conditions, as C expressions, under which a conditional kernel is verified: all of them
    /// together.
    pub requires: Vec<String>,
    /// The reasons why it is unknown or an error.
    pub reasons: Vec<Reason>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// A change under which a defective kernel is verified.
    pub fix: Option<Fix>,
    /// Findings that comments of the source allow, which are not among the others.
    pub allowed: Vec<Allowed>,
    /// The assumptions that the verdict rests on.
    pub assumptions: Assumptions,
    /// The early end of the program's own run, which would have tried assumptions of a proof.
    pub unfinished_run: Option<UnfinishedRun>,
    /// The cost of the verdict.
    pub statistics: Statistics,
    /// The result of a second solver for the proof, if it was asked (`--recheck`).
    pub rechecked: Option<Rechecked>,
    /// The fingerprint of a verdict that is unknown or an error, like [`Finding::fingerprint`].
    pub fingerprint: String,
    /// The part of this report that is in the baseline.
    pub known: Known,
    /// The source files whose text may be shown, by their names in the findings. They are the files
    /// that were read for this kernel.
    pub sources: Vec<String>,
    /// The sequential programs, if the report has room for them.
    pub listings: Vec<Listing>,
}

impl KernelReport {
    /// The class of an unknown verdict: the greatest of its reasons'; `None` for other verdicts.
    pub fn undecided(&self) -> Option<Undecided> {
        (self.verdict == Verdict::Unknown).then(|| self.cause().unwrap_or(Undecided::Unproved))
    }

    /// The greatest class of the reasons.
    pub fn cause(&self) -> Option<Undecided> {
        self.reasons.iter().filter_map(Reason::undecided).max()
    }

    /// The place of an unsupported construct, if it is the reason for an unknown verdict.
    pub fn refused_at(&self) -> Option<&Place> {
        self.reasons.iter().find_map(Reason::refused_at)
    }

    /// Whether the baseline has every complaint about the kernel, or the source allows it. A fault
    /// of Lockstep itself is never in it.
    pub fn is_known(&self) -> bool {
        match self.verdict {
            Verdict::Verified | Verdict::Error => false,
            Verdict::Conditional if !self.reasons.is_empty() => self.known.verdict,
            Verdict::Conditional | Verdict::Defect => self.has_only_known_findings(),
            // The possible findings stand for the verdict.
            Verdict::Unknown if self.undecided() == Some(Undecided::Unconfirmed) => {
                self.has_only_known_findings() && (self.allowed.is_empty() || self.is_only_unconfirmed())
            }
            Verdict::Unknown => self.known.verdict,
        }
    }

    fn has_only_known_findings(&self) -> bool {
        self.findings.is_empty() && !(self.known.findings.is_empty() && self.allowed.is_empty())
    }

    /// Whether possible findings are all that keeps the kernel from being verified.
    fn is_only_unconfirmed(&self) -> bool {
        self.reasons.iter().all(|reason| reason.undecided() == Some(Undecided::Unconfirmed))
    }
}

/// The launch that a program makes without options, with the verdict on the kernel in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByDefault {
    /// Threads per group.
    pub block: Vec<u32>,
    /// Groups.
    pub grid: Vec<u32>,
    /// The scalar arguments.
    pub arguments: Vec<(String, String)>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Results that the baseline, an earlier report, already has. The verdict on the kernel stays the
/// same.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Findings, which are no longer among [`KernelReport::findings`].
    pub findings: Vec<Finding>,
    /// Whether the baseline has the kernel as unknown.
    pub verdict: bool,
}

/// A finding that a comment of the source allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// The reason that the comment gives.
    pub reason: String,
    /// The file of the comment.
    pub file: String,
    /// Its line.
    pub line: u32,
}

/// A defect or a possible defect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable code, `LS0101`.
    #[serde(deserialize_with = "known_name")]
    pub code: Name,
    /// The kind: `race`, `barrier-divergence`, `out-of-bounds`, `assertion`, `constant-write`,
    /// `null-dereference`, …
    #[serde(deserialize_with = "known_name")]
    pub kind: Name,
    /// For races: `write-write`, `write-read`, `read-write`, `atomic-write`…, thread 1's access
    /// first.
    pub subkind: Option<String>,
    /// `intra-group` or `inter-group`, for races.
    #[serde(deserialize_with = "known_name_if_any")]
    pub scope: Option<Name>,
    /// Whether a concrete run reproduced it.
    pub confirmed: bool,
    /// Whether it is shown as a warning: it is only possible, and `--strict` is not given
    /// ([`rule`]).
    pub is_warning: bool,
    /// The facts that the finding hinges on; once it is confirmed, the parameters alone.
    pub hinges: Vec<Hinge>,
    /// The properties of synchronising operations that would order the accesses of a confirmed
    /// race.
    pub lacks: Vec<Lack>,
    /// The locks around the accesses of a confirmed race, if there are any.
    pub locks: Option<Box<Locks>>,
    /// The launch that reproduces the finding, if it is confirmed.
    pub witness: Option<Witness>,
    /// The array concerned.
    pub array: Option<String>,
    /// The place in the array, in bytes.
    pub offset_bytes: Option<u64>,
    /// The same place as the source would write it: `tile[3][4]`, `A[12] (byte 2)`.
    pub place: Option<String>,
    /// The accesses, or the two threads' positions at a barrier. One or two.
    pub accesses: Vec<AccessShown>,
    /// Further findings that have the same cause ([`lockstep_findings::cause`]).
    pub also: Vec<Finding>,
    /// The kernel's scalar parameters in the run.
    pub parameters: IndexMap<String, String>,
    /// Threads per group in the run.
    pub block: Vec<u64>,
    /// Groups in the run.
    pub grid: Vec<u64>,
    /// The identity of the finding across runs ([`lockstep_report::fingerprint`]); empty until it
    /// is computed.
    pub fingerprint: String,
    /// The data for a picture of the finding, if the report is drawn.
    pub picture: Option<Picture>,
}

impl Finding {
    /// A finding of a kind without accesses. It is possible, and a warning, until that is settled.
    pub fn new(code: Name, kind: Name) -> Self {
        Self {
            code,
            kind,
            subkind: None,
            scope: None,
            confirmed: false,
            is_warning: true,
            hinges: Vec::new(),
            lacks: Vec::new(),
            locks: None,
            witness: None,
            array: None,
            offset_bytes: None,
            place: None,
            accesses: Vec::new(),
            also: Vec::new(),
            parameters: IndexMap::new(),
            block: Vec::new(),
            grid: Vec::new(),
            fingerprint: String::new(),
            picture: None,
        }
    }
}

/// A launch that reproduces a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The arguments of `lockstep run` besides the file, the kernel's name and the flags under
    /// which it was verified.
    pub words: Vec<String>,
    /// The words of the whole command, from `lockstep` on; empty until it is known.
    pub command: Vec<String>,
}

impl Witness {
    /// Whether reads see older values in its run.
    pub fn sees_older_values(&self) -> bool {
        self.words.iter().any(|word| word.starts_with(Self::OLDER_VALUES))
    }

    /// The option of `run` under which reads may see older values; a seed follows.
    pub const OLDER_VALUES: &'static str = "--schedule=stale";
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
    /// The thread's action.
    pub act: Act,
    /// The thread's group.
    pub block: Vec<u64>,
    /// The thread in its group.
    pub thread: Vec<u64>,
    /// The iterations of the loops around the access, outermost first.
    pub loops: Vec<LoopIteration>,
    /// The calls the access was inlined through, innermost first.
    pub stack: Vec<Frame>,
    /// The place as an expression in the source's names, with its value:
    /// `index gid + offset = 7 + 1 = 8`, `pixel (x, 0) = (3, 0)`; empty if it adds nothing.
    pub arithmetic: String,
}

/// An iteration of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopIteration {
    /// The source file of the loop.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// The iteration, from 0.
    pub iteration: u64,
    /// The number of calls, among those that lead to the access, that also lead to the loop.
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

/// The cost of a verdict. Programs for several pairs of threads are decided side by side. The
/// seconds of the stages, like the counts, are sums over the programs, and may exceed the elapsed
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Elapsed seconds until the kernel was decided, including its share of the import.
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

impl Statistics {
    /// Adds the cost of more work on the kernel.
    pub fn add(&mut self, more: &Self) {
        self.lower_seconds += more.lower_seconds;
        self.infer_seconds += more.infer_seconds;
        self.prove_seconds += more.prove_seconds;
        self.candidates_proposed += more.candidates_proposed;
        self.candidates_kept += more.candidates_kept;
        self.obligations += more.obligations;
        self.queries += more.queries;
    }
}

/// A run of a program that does not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedRun {
    /// The place in the host's code, if it is known.
    pub place: Option<Place>,
    /// The reason in words, which say what the program does.
    pub reason: String,
}

/// The result of a second solver for a proof.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rechecked {
    /// The command.
    pub solver: String,
    /// The time limit for a question, in seconds.
    pub limit_seconds: f64,
    /// Questions answered with `unsat`, as the proof requires.
    pub unsatisfiable: usize,
    /// Questions that the solver did not decide in time.
    pub undecided: usize,
    /// Questions to which the solver gave no answer.
    pub failed: usize,
    /// The solver's reaction to the first such question.
    pub failure: Option<String>,
    /// Claims that are true by construction, which the solver is not asked about.
    pub by_construction: usize,
    /// Seconds for all questions together.
    pub seconds: f64,
}
