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

use lockstep_findings::race;
use lockstep_interpreter::{Code, Grid, How, Input, Position, Schedule, Stronger};
use lockstep_verdict::Finding;
use lockstep_verdict::lack::{Lack, Order};

use super::matching::shown;
use super::{Replay, STEPS_OF_SHORT};

/// The most properties that are taken back one by one.
const MOST: usize = 40;

/// The schedules beside that of the run.
const SCHEDULES: [Schedule; 6] = [
    Schedule::InOrder,
    Schedule::RoundRobin(1),
    Schedule::RoundRobin(64),
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
];

impl Replay<'_> {
    /// Notes in a confirmed race of plain or atomic accesses which properties would order them, and
    /// gives it the code for that.
    pub(super) fn note_lacking(&self, found: &mut Finding, grid: &Grid, input: &Input, how: &How) {
        if found.code != race::CODE {
            return;
        }
        let lacking = self.lacking(found, grid, input, how).unwrap_or_default();
        let file = found.accesses.first().map(|access| access.file.clone()).unwrap_or_default();
        let mut lacks: Vec<Lack> = lacking.iter().filter_map(|&lacking| self.lack(lacking, &file)).collect();
        lacks.sort();
        lacks.dedup();
        found.code = race::code_lacking(&lacks);
        found.lacks = lacks;
    }

    /// The fewest properties found under which no run has the race; `None` if some run has it with
    /// all of them.
    fn lacking(&self, found: &Finding, grid: &Grid, input: &Input, how: &How) -> Option<Vec<(Position, Stronger)>> {
        let orders = |all: &[(Position, Stronger)]| {
            let is_free = |schedule| self.is_free(found, &self.code.stronger(all), (grid, input, how), schedule);
            [how.schedule].into_iter().chain(SCHEDULES).all(is_free)
        };
        let mut needed = self.code.lacking();
        if needed.is_empty() || needed.len() > MOST || !orders(&needed) {
            return None;
        }
        for what in [Stronger::Acquire, Stronger::Release, Stronger::Scope] {
            let fewer: Vec<_> = needed.iter().copied().filter(|(_, kind)| *kind != what).collect();
            if fewer.len() < needed.len() && orders(&fewer) {
                needed = fewer;
            }
        }
        let mut at = 0;
        while at < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            if orders(&fewer) {
                needed = fewer;
            } else {
                at += 1;
            }
        }
        Some(needed)
    }

    /// Whether a run of this code has no race of any two threads at the two places.
    fn is_free(
        &self,
        found: &Finding,
        code: &Code,
        (grid, input, how): (&Grid, &Input, &How),
        schedule: Schedule,
    ) -> bool {
        if self.options.deadline.passed() {
            return false;
        }
        let races = how.races.map(|races| lockstep_interpreter::Races { between: None, ..races });
        let how = How { schedule, races, most_steps: STEPS_OF_SHORT, ..how.clone() };
        let Some(ran) = lockstep_interpreter::run(code, grid, input.clone(), how) else { return false };
        !ran.is_late && !self.places(grid).confirm(&mut found.clone(), &ran.events.iter().collect::<Vec<_>>(), false)
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
