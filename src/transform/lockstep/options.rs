//! The options of the transformation.

use std::collections::BTreeSet;
use std::sync::Arc;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Language, Space};
use lockstep_options::checks::Checks;
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Techniques;

use crate::axioms::Axioms;

/// The properties to check, and the abstraction of shared memory.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct LockstepOptions {
    /// Writes of the same value to one cell are races too (`--no-benign-tolerance`).
    pub no_benign_tolerance: bool,
    /// Every load of written memory returns anything (`--adversarial-abstraction`).
    pub adversarial: bool,
    /// No races are checked (`--only-divergence`).
    pub only_divergence: bool,
    /// Accesses are logged for the source's statements about them, but no races are checked
    /// (`--only-log`).
    pub only_log: bool,
    /// The names of the arrays on which races are checked (`--check-arrays`); all if not given.
    pub check_arrays: Option<BTreeSet<String>>,
    /// Assertions are proved for thread 1 and not assumed of thread 2 (`--asymmetric-asserts`).
    pub asymmetric_asserts: bool,
    /// Reads by barrier invariants are not checked for races (`--no-barrier-access-checks`).
    pub no_barrier_access_checks: bool,
    /// Races between groups are not checked (`--only-intra-group`): the contents of global memory
    /// are unknown.
    pub only_intra_group: bool,
    /// Threads that have returned count as having arrived at barriers (`--exited-threads arrive`).
    pub exited_threads_arrive: bool,
    /// Groups of open size may end with a part of a warp although operations name all lanes
    /// (`--partial-warps`).
    pub partial_warps: bool,
    /// Counters that advance by a stride of the launch may wrap (`--wrapping-strides`).
    pub wrapping_strides: bool,
    /// The number of threads in a warp (`--warp-size`), a power of two. The language's if not
    /// given.
    pub warp_size: Option<u32>,
    /// The threads of a warp execute each instruction together (`--warp-sync`).
    pub warps_in_lock_step: bool,
    /// The checks besides races and divergence.
    pub checks: Checks,
    /// Values of scalar parameters (`--kernel-args`), by position among the scalar parameters and
    /// of their widths; `None` leaves one open.
    pub arguments: Vec<Option<Bits>>,
    /// Axioms about uninterpreted functions (`--boogie-file`).
    pub axioms: Arc<[Axioms]>,
    /// Whether to lower the execution of a single thread, for reading
    /// ([`super::lower_one_thread`]).
    pub one_thread: bool,
    /// Whether synchronisation through memory orders accesses ([`crate::signals`]). A failed
    /// assertion is no defect then, because a rule may be more than the kernel has to keep to.
    pub signals: bool,
    /// The techniques in use (`--without`).
    pub techniques: Techniques,
    /// The time at which all work on the kernel ends.
    pub deadline: Deadline,
}

impl LockstepOptions {
    /// The number of threads in a warp.
    pub fn warp_size_for(&self, language: Language) -> u32 {
        self.warp_size.unwrap_or(if language == Language::Hip { 64 } else { 32 })
    }

    /// Whether accesses to this array are logged if there is reason to.
    pub fn logs(&self, array: &kernel::ArrayData) -> bool {
        let chosen = self.check_arrays.as_ref().is_none_or(|chosen| chosen.contains(&array.name));
        chosen && !self.only_divergence && matches!(array.space, Space::Global | Space::Local)
    }

    /// Whether races are checked on all arrays.
    pub fn checks_all_races(&self) -> bool {
        !self.only_divergence && !self.only_log && self.check_arrays.is_none()
    }

    /// Whether races on this array are checked, except for the kinds that are left out.
    pub fn checks_races_on(&self, array: &kernel::ArrayData) -> bool {
        self.logs(array) && !self.only_log
    }
}
