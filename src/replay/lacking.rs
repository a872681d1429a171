//! The properties of synchronising operations whose lack leaves the accesses of a race unordered.
//!
//! A run that has the race is repeated with stronger operations: a wider scope, a release, an
//! acquire. The accesses stay the same, only their order changes ([`Stronger`]). If the race
//! disappears under every schedule that is tried, these are the properties that the accesses need.
//! Several schedules are needed, because in a single one the threads may happen to come to an
//! unrelated operation in the order of their accesses. Then properties are taken back for as long
//! as the race stays away, halves of them at a time.
//!
//! Reference: Junker: "QuickXplain: preferred explanations and relaxations for over-constrained
//! problems", AAAI 2004.
//!
//! This explains a race that is a fact anyway. It says nothing about other launches or contents.

use std::time::Duration;

use lockstep_findings::race;
use lockstep_interpreter::{Code, Grid, How, Input, Position, Schedule, Stronger};
use lockstep_options::deadline::Deadline;
use lockstep_verdict::Finding;
use lockstep_verdict::lack::{Lack, Order};

use super::matching::shown;
use super::{Replay, STEPS_OF_SHORT};

/// The most properties of operations that are tried.
const MOST: usize = 80;

/// The most steps of all runs for the races of one kernel.
pub(super) const STEPS: u64 = 20_000_000;

/// The time for one race. It matters only where fences of many threads make each step slow.
pub(super) const MOST_TIME: Duration = Duration::from_secs(4);

/// The schedules beside that of the run.
const SCHEDULES: [Schedule; 6] = [
    Schedule::InOrder,
    Schedule::RoundRobin(1),
    Schedule::RoundRobin(64),
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
];

/// The run that has a race.
#[derive(Clone, Copy)]
struct OfRace<'a> {
    found: &'a Finding,
    grid: &'a Grid,
    input: &'a Input,
    how: &'a How,
    deadline: Deadline,
}

impl Replay<'_> {
    /// Notes in a confirmed race of plain or atomic accesses which properties would order them, and
    /// gives it the code for that.
    pub(super) fn note_lacking(&self, found: &mut Finding, grid: &Grid, input: &Input, how: &How) {
        if found.code != race::CODE {
            return;
        }
        let deadline = self.options.deadline.within(MOST_TIME);
        let lacking = self.lacking(OfRace { found, grid, input, how, deadline }).unwrap_or_default();
        let file = found.accesses.first().map(|access| access.file.clone()).unwrap_or_default();
        let lacks: Option<Vec<Lack>> = lacking.iter().map(|&lacking| self.lack(lacking, &file)).collect();
        let mut lacks = lacks.unwrap_or_default();
        lacks.sort();
        lacks.dedup();
        found.code = race::code_lacking(&lacks);
        found.lacks = lacks;
    }

    /// Properties under which no run has the race, each of which is needed. Scopes are preferred to
    /// releases, and these to acquires. The first of the releases that would do and the last of
    /// the acquires are the ones nearest to the accesses: between these two, threads that poll may
    /// order the accesses under all schedules that are tried, although they need not.
    ///
    /// It is `None` if some run has the race with all of them, or if time or steps are up.
    fn lacking(&self, of: OfRace<'_>) -> Option<Vec<(Position, Stronger)>> {
        let all = self.code.lacking();
        if all.is_empty() || all.len() > MOST || !self.are_ordered_by(of, &all)? {
            return None;
        }
        let (releases, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, what)| *what == Stronger::Release);
        let (scopes, acquires): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, what)| *what == Stronger::Scope);
        let all: Vec<_> = acquires.into_iter().chain(releases.into_iter().rev()).chain(scopes).collect();
        needed(&all, &mut |some| self.are_ordered_by(of, some))
    }

    /// Whether no run has the race if operations have these properties; `None` if it is not known.
    fn are_ordered_by(&self, of: OfRace<'_>, all: &[(Position, Stronger)]) -> Option<bool> {
        let code = self.code.stronger(all);
        let forwards = of.how.groups.clone();
        let every: Vec<u64> = (0..of.grid.groups().min(super::MOST_GROUPS)).rev().collect();
        // A thread may be the later one under each schedule, because it has more to do.
        let backwards = forwards.clone().map_or(every, |groups| groups.into_iter().rev().collect());
        let others = SCHEDULES.into_iter().filter(|other| *other != of.how.schedule);
        let schedules = [of.how.schedule].into_iter().chain(others);
        let runs = schedules.map(|schedule| (schedule, forwards.clone()));
        for (schedule, groups) in runs.chain([(Schedule::InOrder, Some(backwards))]) {
            if !self.is_free(of, &code, (schedule, groups))? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether a run of this code has no race of any two threads at the two places.
    fn is_free(
        &self,
        OfRace { found, grid, input, how, deadline }: OfRace<'_>,
        code: &Code,
        (schedule, groups): (Schedule, Option<Vec<u64>>),
    ) -> Option<bool> {
        let left = self.explaining.get();
        if deadline.passed() || left == 0 {
            return None;
        }
        let races = how.races.map(|races| lockstep_interpreter::Races { between: None, ..races });
        let how = How { schedule, races, groups, deadline, most_steps: STEPS_OF_SHORT.min(left), ..how.clone() };
        let ran = lockstep_interpreter::run(code, grid, input.clone(), how)?;
        self.explaining.set(left.saturating_sub(ran.steps.max(1)));
        let events: Vec<_> = ran.events.iter().collect();
        let places = self.places(grid);
        let has_race = places.confirm(&mut found.clone(), &events, false);
        let is_at_race = |at: &Position| found.accesses.iter().any(|access| places.is_at(access, *at));
        let watched = ran.watched.as_ref();
        let may_have_missed = watched.is_none_or(|watched| watched.exhausted || watched.unsure.iter().any(is_at_race));
        (!ran.is_late || has_race).then_some(!has_race && !may_have_missed)
    }

    /// The line of the operation, in the file of the finding if it is inlined there.
    fn lack(&self, (at, what): (Position, Stronger), file: &str) -> Option<Lack> {
        let (file, line) = self.line_for(at, file)?;
        let order = match what {
            Stronger::Scope => Order::Scope,
            Stronger::Release => Order::Release,
            Stronger::Acquire => Order::Acquire,
        };
        Some(Lack { file, line, order })
    }

    /// The file and line of a step, in this file if it is inlined there.
    pub(super) fn line_for(&self, at: Position, file: &str) -> Option<(String, u32)> {
        let ((inner, line, _), stack) = shown(self.kernel, self.code.place(at)?);
        let frames = stack.into_iter().map(|frame| (frame.file, frame.line));
        let mut places = [(inner.clone(), line)].into_iter().chain(frames);
        let place = places.find(|(place, _)| place == file).unwrap_or((inner, line));
        Some(place).filter(|(_, line)| *line > 0)
    }
}

/// Some of these items that suffice, each of which is needed, by QuickXplain. If others would do as
/// well, they are those nearest to the end.
///
/// The caller knows that all items together suffice, and that the race is there without any.
/// `suffice` is `None` if it is not known, and so is the result then.
fn needed<T: Copy>(items: &[T], suffice: &mut impl FnMut(&[T]) -> Option<bool>) -> Option<Vec<T>> {
    fn needed_beside<T: Copy>(
        known: &[T],
        items: &[T],
        suffice: &mut impl FnMut(&[T]) -> Option<bool>,
    ) -> Option<Vec<T>> {
        if items.len() <= 1 {
            return Some(items.to_vec());
        }
        let (others, preferred) = items.split_at(items.len() / 2);
        let beside = [known, preferred].concat();
        let of_others = if suffice(&beside)? { Vec::new() } else { needed_beside(&beside, others, suffice)? };
        let beside = [known, &of_others].concat();
        let is_enough = !of_others.is_empty() && suffice(&beside)?;
        let of_preferred = if is_enough { Vec::new() } else { needed_beside(&beside, preferred, suffice)? };
        Some([of_others, of_preferred].concat())
    }
    needed_beside(&[], items, suffice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_items_are_found_with_few_questions() {
        let all: Vec<u32> = (0..32).collect();
        for wanted in [vec![7], vec![31], vec![0, 1], vec![3, 17, 18], all.clone()] {
            let mut asked = 0;
            let mut suffice = |some: &[u32]| {
                asked += 1;
                Some(wanted.iter().all(|one| some.contains(one)))
            };
            assert_eq!(needed(&all, &mut suffice), Some(wanted.clone()));
            assert!(asked <= 2 * 5 * wanted.len() + 2, "{wanted:?}: {asked}");
        }
    }

    #[test]
    fn later_items_are_preferred() {
        let either =
            |some: &[u32]| Some(some.contains(&1) || some.contains(&6) || (some.contains(&2) && some.contains(&7)));
        assert_eq!(needed(&[6, 2, 7], &mut { either }), Some(vec![2, 7]));
        assert_eq!(needed(&[1, 2, 6, 7], &mut { either }), Some(vec![6]));
        assert_eq!(needed(&[1, 2, 6], &mut { either }), Some(vec![6]));
        assert_eq!(needed(&[1, 2], &mut |_| None), None);
    }
}
