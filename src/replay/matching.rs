//! Comparison of a run with a finding's defect.

use lockstep_findings as kinds;
use lockstep_interpreter::{Code, Diary, Event, Grid, PhaseError, Position, Race, Touch, Undefined, Wrong};
use lockstep_ir::kernel::{Array, BarrierKind, Kernel, Operation, VerifiedKernel};
use lockstep_ir::source::Location;
use lockstep_verdict::act::Act;
use lockstep_verdict::{AccessShown, Finding, Frame};

/// The code and the launch of a run, to express places and threads in the terms of a report.
pub struct Places<'a> {
    /// The kernel that ran.
    pub kernel: &'a VerifiedKernel,
    /// The kernel's register form.
    pub code: &'a Code,
    /// The launch.
    pub grid: &'a Grid,
    /// Whether threads that have returned count as having come to barriers.
    pub returned_count_as_come: bool,
}

/// One side of a defect: its place and its thread.
#[derive(Clone, Copy)]
struct Side {
    at: Position,
    group: [u32; 3],
    thread: [u32; 3],
}

impl Places<'_> {
    /// Whether one of the events is the finding's defect. If so, the finding gets the threads and
    /// the place of the run. `exactly`: only the finding's two threads were watched.
    pub fn confirm(&self, finding: &mut Finding, events: &[&Event], exactly: bool) -> bool {
        if finding.kind == kinds::race::KIND {
            return self.confirm_race(finding, events, exactly);
        }
        let divergences =
            [kinds::barrier_divergence::KIND, kinds::group_operation_divergence::KIND, kinds::warp_divergence::KIND];
        if divergences.contains(&finding.kind) {
            return events.iter().any(|event| self.confirm_divergence(finding, event));
        }
        if finding.kind == kinds::named_barrier::KIND {
            return events.iter().any(|event| self.confirm_named_barrier(finding, event));
        }
        let Some(access) = finding.accesses.first() else { return false };
        let fitting: Vec<Side> = events
            .iter()
            .filter(|event| self.is_of_kind(finding, event))
            .map(|event| Side { at: event.at, group: event.group, thread: event.thread })
            .filter(|side| self.is_at(access, side.at))
            .collect();
        let same_thread = |side: &&Side| is_thread(access, **side);
        let Some(&side) = fitting.iter().find(same_thread).or(fitting.first()) else { return false };
        tell(&mut finding.accesses[0], side);
        true
    }

    // --- Races -----------------------------------------------------------------------------------

    fn confirm_race(&self, finding: &mut Finding, events: &[&Event], exactly: bool) -> bool {
        let races = events.iter().filter_map(|event| match event.what {
            Wrong::Race(race) => Some((event, race)),
            _ => None,
        });
        let scope = |event: &Event, race: &Race| self.grid.group_index(race.group) == event.group;
        let is_within = finding.scope == Some(kinds::race::WITHIN_GROUP);
        let fitting: Vec<(&Event, Race, bool)> = races
            .filter(|(event, race)| {
                finding.array.as_deref() == Some(self.name(race.array)) && scope(event, race) == is_within
            })
            .filter_map(|(event, race)| Some((*event, race, self.order(finding, event, &race)?)))
            .collect();
        let place_of = |race: &Race| {
            let data = &self.kernel.arrays[race.array];
            match race.pixel {
                Some(pixel) => format!("{}{pixel}", data.name),
                None => kinds::race::place(&data.name, data.element.as_ref(), race.offset),
            }
        };
        let same_place = |race: &Race| match race.pixel {
            Some(_) => finding.place.as_ref() == Some(&place_of(race)),
            None => finding.offset_bytes.is_some_and(|offset| offset / 4 == race.offset / 4),
        };
        let best = fitting.iter().find(|(_, race, _)| same_place(race)).or(fitting.first());
        let Some(&(event, race, turned)) = best else { return false };
        let earlier =
            Side { at: race.at, group: self.grid.group_index(race.group), thread: self.grid.local_id(race.thread) };
        let later = Side { at: event.at, group: event.group, thread: event.thread };
        let sides = if turned { [later, earlier] } else { [earlier, later] };
        if !(exactly && same_place(&race)) {
            let place = place_of(&race);
            finding.offset_bytes = race.pixel.is_none().then_some(race.offset);
            finding.place = Some(place);
            for access in &mut finding.accesses {
                access.arithmetic = String::new();
                access.loops.clear();
            }
        }
        for (side, access) in sides.into_iter().zip(&mut finding.accesses) {
            tell(access, side);
        }
        true
    }

    /// Whether the two accesses of a race are the finding's: `Some(false)` in the finding's order,
    /// `Some(true)` in the opposite order.
    fn order(&self, finding: &Finding, event: &Event, race: &Race) -> Option<bool> {
        let [first, second] = finding.accesses.as_slice() else { return None };
        let kind = |access: &AccessShown, run: lockstep_interpreter::Access| access.act == act(run);
        let as_told = self.is_at(first, race.at)
            && self.is_at(second, event.at)
            && kind(first, race.earlier)
            && kind(second, race.later);
        let turned = self.is_at(first, event.at)
            && self.is_at(second, race.at)
            && kind(first, race.later)
            && kind(second, race.earlier);
        // If both are accesses at one place in the source, the threads distinguish them.
        let later = Side { at: event.at, group: event.group, thread: event.thread };
        match (as_told, turned) {
            (true, true) => Some(is_thread(first, later)),
            (true, false) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        }
    }

    fn name(&self, array: Array) -> &str {
        &self.kernel.arrays[array].name
    }

    // --- Other defects ---------------------------------------------------------------------------

    /// Whether an event is of a finding's kind and about its array, in any threads and places.
    pub(super) fn is_like(&self, finding: &Finding, event: &Event) -> bool {
        match event.what {
            Wrong::Race(race) => {
                finding.kind == kinds::race::KIND && finding.array.as_deref() == Some(self.name(race.array))
            }
            Wrong::Divergence { .. } | Wrong::Differs(_) => {
                let others = [kinds::race::KIND, kinds::out_of_bounds::KIND, kinds::endless_wait::KIND];
                !others.contains(&finding.kind)
            }
            _ => self.is_of_kind(finding, event),
        }
    }

    /// Whether an event of one thread is of the finding's kind.
    fn is_of_kind(&self, finding: &Finding, event: &Event) -> bool {
        let of_array = |array: Array| finding.array.as_deref().is_none_or(|name| name == self.name(array));
        match event.what {
            Wrong::OutOfBounds { array: Some(array), .. } => {
                finding.kind == kinds::out_of_bounds::KIND && of_array(array)
            }
            // Images have other sizes in another launch.
            Wrong::OutsideImage { .. } => false,
            Wrong::OutOfBounds { array: None, .. } => finding.kind == kinds::null_dereference::KIND,
            Wrong::Misaligned { .. } => finding.kind == kinds::misaligned_access::KIND,
            Wrong::ConstantWritten(array) => finding.kind == kinds::constant_write::KIND && of_array(array),
            Wrong::Assertion => finding.kind == kinds::assertion::KIND,
            Wrong::InactiveSource => finding.kind == kinds::inactive_source::KIND,
            Wrong::NotInMask => finding.kind == kinds::lane_not_in_mask::KIND,
            Wrong::Unwritten { .. } => finding.kind == kinds::uninitialised_read::KIND,
            Wrong::Undefined(what) => {
                finding.kind == kinds::index_overflow::KIND && what.why == Undefined::SignedOverflow
            }
            Wrong::GoesRound => finding.kind == kinds::endless_wait::KIND,
            Wrong::Divergence { .. }
            | Wrong::Differs(_)
            | Wrong::NotWaitedFor
            | Wrong::NobodyWaits { .. }
            | Wrong::Phase(_)
            | Wrong::NoSuchBarrier { .. }
            | Wrong::AnyValue(_)
            | Wrong::Assumption
            | Wrong::Trap
            | Wrong::Unreachable
            | Wrong::Refused(_)
            | Wrong::Unknown(_)
            | Wrong::NotModelled
            | Wrong::Race(_) => false,
        }
    }

    /// Confirms that a thread waits where the finding says, while another one of its group waits
    /// elsewhere or has returned.
    fn confirm_divergence(&self, finding: &mut Finding, event: &Event) -> bool {
        if let Wrong::Differs(other) = event.what {
            return self.confirm_difference(finding, event, other);
        }
        let Wrong::Divergence { other, returned } = event.what else { return false };
        let returned = returned.filter(|_| !self.returned_count_as_come);
        let Some((at, thread)) = other.or(returned) else { return false };
        let here = Side { at: event.at, group: event.group, thread: event.thread };
        let there = Side { at, group: event.group, thread };
        let is_barrier = |side: Side| finding.accesses.iter().all(|access| self.is_at(access, side.at));
        let (reaches, missing) = match (is_barrier(here), other.is_some() && is_barrier(there)) {
            (true, _) => (here, there),
            (false, true) => (there, here),
            (false, false) => return false,
        };
        let waiting = finding.accesses.iter().position(|access| access.act.waits()).unwrap_or(0);
        for (index, access) in finding.accesses.iter_mut().enumerate() {
            tell(access, if index == waiting { reaches } else { missing });
        }
        true
    }

    /// Confirms that a named barrier is used wrongly, wherever that shows.
    fn confirm_named_barrier(&self, finding: &mut Finding, event: &Event) -> bool {
        let Some(location) = self.code.place(event.at) else { return false };
        let act = match event.what {
            Wrong::NoSuchBarrier { .. } => Act::CountsOthers,
            Wrong::NobodyWaits { .. } => Act::ArrivesUnawaited,
            Wrong::Phase(PhaseError::NotInitialised) => Act::UsesUninitialised,
            Wrong::Phase(PhaseError::NoSuchCount(_) | PhaseError::TooMany { .. }) => Act::CountsOthers,
            Wrong::Divergence { .. } => Act::WaitsForEver,
            _ => return false,
        };
        let is_named = |kind: &BarrierKind| matches!(kind, BarrierKind::Named { .. } | BarrierKind::Arrive { .. });
        let is_there = self.kernel.instructions.values().any(|data| match &data.operation {
            Operation::Barrier { kind, .. } => data.location == Some(location) && is_named(kind),
            Operation::Phase { .. } => data.location == Some(location),
            _ => false,
        });
        let Some(access) = finding.accesses.first_mut().filter(|_| is_there) else { return false };
        ((access.file, access.line, access.column), access.stack) = shown(self.kernel, location);
        access.act = act;
        tell(access, Side { at: event.at, group: event.group, thread: event.thread });
        true
    }

    /// Confirms that two threads execute a group operation with different operands.
    fn confirm_difference(&self, finding: &mut Finding, event: &Event, other: [u32; 3]) -> bool {
        let is_there = finding.accesses.iter().all(|access| self.is_at(access, event.at));
        if finding.kind != kinds::group_operation_divergence::KIND || !is_there {
            return false;
        }
        for (access, thread) in finding.accesses.iter_mut().zip([other, event.thread]) {
            tell(access, Side { at: event.at, group: event.group, thread });
        }
        true
    }

    /// The two accesses of a race in a diary of its threads, in the finding's order.
    pub(super) fn touches(&self, finding: &Finding, diary: &Diary) -> Option<[Touch; 2]> {
        let [first, second] = finding.accesses.as_slice() else { return None };
        diary.races.iter().find_map(|&race| {
            let of = |index: usize| race.into_iter().find(|(thread, _)| *thread == index).map(|(_, touch)| touch);
            let (one, other) = (of(0)?, of(1)?);
            (self.is_at(first, one.at) && self.is_at(second, other.at)).then_some([one, other])
        })
    }

    // --- Places ----------------------------------------------------------------------------------

    /// Whether a step is at the finding's place.
    pub(super) fn is_at(&self, access: &AccessShown, at: Position) -> bool {
        let Some(location) = self.code.place(at) else { return false };
        let data = &self.kernel.locations[location];
        (access.line, access.column) == (data.line, data.column) && access.file == self.kernel.files[data.file]
    }
}

/// Whether a finding names this thread.
fn is_thread(access: &AccessShown, side: Side) -> bool {
    (ids(side.group, &access.block), ids(side.thread, &access.thread)) == (access.block.clone(), access.thread.clone())
}

/// The ids in as many dimensions as the finding lists.
fn ids(ids: [u32; 3], like: &[u64]) -> Vec<u64> {
    ids.iter().map(|&id| u64::from(id)).take(like.len()).collect()
}

/// Sets the finding's thread to that of the run; the finding's values for another thread are
/// dropped.
fn tell(access: &mut AccessShown, side: Side) {
    if !is_thread(access, side) {
        access.arithmetic = String::new();
        access.loops.clear();
        let (block, thread) = (ids(side.group, &access.block), ids(side.thread, &access.thread));
        (access.block, access.thread) = (block, thread);
    }
}

/// The file, line and column of a place, and the calls that it was inlined through, inner first.
pub(super) fn shown(kernel: &Kernel, location: Location) -> ((String, u32, u32), Vec<Frame>) {
    let place = |location| {
        let data = &kernel.locations[location];
        (kernel.files[data.file].clone(), data.line, data.column)
    };
    let mut stack = Vec::new();
    let mut inner = Some(location);
    while let Some(data) = inner.map(|location| &kernel.locations[location]) {
        if let Some(call) = data.inlined_at {
            let (file, line, column) = place(call);
            stack.push(Frame { function: data.function.clone(), file, line, column });
        }
        inner = data.inlined_at;
    }
    (place(location), stack)
}

/// The action of an access in a run.
pub(super) fn act(access: lockstep_interpreter::Access) -> Act {
    match access {
        lockstep_interpreter::Access::Read => Act::Read,
        lockstep_interpreter::Access::Write => Act::Write,
        lockstep_interpreter::Access::Atomic => Act::Atomic,
        lockstep_interpreter::Access::AsyncRead => Act::AsyncRead,
        lockstep_interpreter::Access::AsyncWrite => Act::AsyncWrite,
    }
}
