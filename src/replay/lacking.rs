//! The properties of synchronising operations whose lack leaves the accesses of a race unordered.
//!
//! A run that has the race is repeated with stronger operations: a wider scope, a release, an
//! acquire. The accesses stay the same, only their order changes ([`Stronger`]). If the race
//! disappears under every schedule that is tried, these are the properties that the accesses need.
//! Several schedules are needed, because in a single one the threads may happen to come to an
//! unrelated operation in the order of their accesses. Then properties are taken back for as long
//! as the race stays away.
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

/// The most properties that are taken back one by one.
const MOST: usize = 40;

/// The most steps of all runs for the races of one kernel.
pub(super) const STEPS: u64 = 20_000_000;

/// The time for one race. It matters only where fences of many threads make each step slow.
const MOST_TIME: Duration = Duration::from_secs(8);

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

    /// The fewest properties found under which no run has the race.
    ///
    /// It is `None` if some run has the race with all of them, or if time or steps are up.
    fn lacking(&self, of: OfRace<'_>) -> Option<Vec<(Position, Stronger)>> {
        let mut needed = self.code.lacking();
        if needed.is_empty() || needed.len() > MOST || !self.are_ordered_by(of, &needed)? {
            return None;
        }
        for what in [Stronger::Acquire, Stronger::Release, Stronger::Scope] {
            let fewer: Vec<_> = needed.iter().copied().filter(|(_, kind)| *kind != what).collect();
            if fewer.len() < needed.len() && self.are_ordered_by(of, &fewer)? {
                needed = fewer;
            }
        }
        let mut at = 0;
        while at < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            if self.are_ordered_by(of, &fewer)? {
                needed = fewer;
            } else {
                at += 1;
            }
        }
        Some(needed)
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
        let ((inner, line, _), stack) = shown(self.kernel, self.code.place(at)?);
        let frames = stack.iter().map(|frame| (frame.file.as_str(), frame.line));
        let mut places = [(inner.as_str(), line)].into_iter().chain(frames);
        let (file, line) = places.find(|(place, _)| *place == file).unwrap_or((inner.as_str(), line));
        let order = match what {
            Stronger::Scope => Order::Scope,
            Stronger::Release => Order::Release,
            Stronger::Acquire => Order::Acquire,
        };
        (line > 0).then(|| Lack { file: file.to_owned(), line, order })
    }
}
