//! Executes every thread of a small launch, and finds accesses of two threads that meet.
//!
//! Each execution has two threads, and the accesses of one hardly depend on the identity of the
//! other. So the accesses of all threads are recorded once. Where those of two threads meet, the
//! two are executed together, and only that execution counts.

use lockstep_ir::sequential::{Obligation, ObligationKind, Site};
use rustc_hash::FxHashMap;

use super::machine::{Machine, Plan};
use super::scopes::{Scopes, Thread};
use super::tape::Wished;
use super::{Inputs, REACH, Search, rule};

/// The maximum number of accesses of a launch that are recorded.
const MOST_NOTED: usize = 1 << 18;

/// The number of threads that are executed at any cost: the corners of two dimensions.
const CORNERS: usize = 4;

/// The maximum number of accesses of one cell at one site that are recorded.
const MOST_OF_CELL: usize = 8;

/// The pairs of threads that are executed together, per obligation.
const PAIRS_TRIED: usize = 2;

/// With more accesses than this, only equal cells are compared.
const NEAR_MISSES: usize = 20_000;

/// The accesses of a launch's threads.
#[derive(Default)]
struct Noted {
    /// Thread 1's accesses, by site and cell.
    logged: FxHashMap<(Site, u64), Vec<Met>>,
    /// Thread 2's accesses: the assertion, and the cell.
    checked: Vec<(Obligation, u64, Met)>,
    /// The number of accesses.
    number: usize,
    /// Whether more steps would reveal nothing more.
    all: bool,
    /// Parameter values that would satisfy equations with them for the first pair.
    wishes: Vec<(Wished, u64)>,
}

/// The thread that made an access, and the time of the access.
#[derive(Clone, Copy)]
struct Met {
    thread: usize,
    /// The number of barriers executed before.
    epoch: u32,
    /// The number of choices before.
    ///
    /// Threads run in lockstep, so the access with fewer choices comes first.
    time: u64,
}

impl Search<'_> {
    /// Executes the threads of a launch, with at most `steps` steps for recording their accesses.
    ///
    /// It returns whether more steps would reveal nothing more.
    pub(super) fn scan(
        &mut self,
        scopes: &Scopes<'_>,
        inputs: &Inputs,
        threads: &[Thread],
        number: u64,
        steps: u64,
    ) -> bool {
        // Half of the steps are reserved for pairs that meet.
        let half = self.left / 2;
        let noted = self.within(half, |search| search.note(scopes, inputs, threads, number, steps));
        let Some(mut noted) = noted else { return true };
        let wishes = std::mem::take(&mut noted.wishes);
        if !wishes.is_empty() {
            let granted = self.granted(inputs, wishes);
            let other = self.note(scopes, &granted, threads, number, steps);
            if let Some(other) = other {
                self.meet(scopes, &granted, threads, number, &other);
            }
        }
        self.meet(scopes, inputs, threads, number, &noted);
        noted.all
    }

    /// Executes the pairs of threads whose accesses meet.
    fn meet(&mut self, scopes: &Scopes<'_>, inputs: &Inputs, threads: &[Thread], number: u64, noted: &Noted) {
        for [first, second] in self.meetings(scopes, threads, noted) {
            if self.is_over() {
                break;
            }
            let inputs = scopes.place(inputs, [&threads[first], &threads[second]]);
            self.inputs(&inputs, number);
        }
    }

    fn note(
        &mut self,
        scopes: &Scopes<'_>,
        inputs: &Inputs,
        threads: &[Thread],
        number: u64,
        steps: u64,
    ) -> Option<Noted> {
        let end = self.left.saturating_sub(steps);
        let mut noted = Noted { all: true, ..Noted::default() };
        for first in 0..threads.len() {
            if self.is_over() || (self.left <= end && first >= CORNERS) || noted.number > MOST_NOTED {
                self.exhausted = true;
                noted.all = noted.number > MOST_NOTED;
                break;
            }
            let second = scopes.partner(threads, first);
            if !scopes.are_pair(&threads[first], &threads[second]) {
                return None;
            }
            let inputs = scopes.place(inputs, [&threads[first], &threads[second]]);
            // The last execution may need more than is left: half an execution proves nothing.
            let fuel = self.effort.each.min(self.left);
            let plan = Plan { rule: rule(number), hit: None, fuel, remember: true };
            let mut machine = self.run(&inputs, plan)?;
            self.remember_origin(&inputs, number);
            noted.add(&machine, [first, second]);
            if first == 0 {
                noted.wishes = std::mem::take(&mut machine.wishes);
            }
        }
        Some(noted)
    }

    /// Pairs of threads whose accesses meet.
    fn meetings(&self, scopes: &Scopes<'_>, threads: &[Thread], noted: &Noted) -> Vec<[usize; 2]> {
        let reach = if noted.number < NEAR_MISSES { REACH } else { 0 };
        let mut tried: FxHashMap<(Obligation, bool), usize> = FxHashMap::default();
        let mut near = Vec::new();
        let mut far = Vec::new();
        for &(obligation, cell, check) in &noted.checked {
            let ObligationKind::Race { logged: site, .. } = self.program.obligations[obligation].kind else { continue };
            if self.is_settled(obligation) {
                continue;
            }
            for other in cell.saturating_sub(reach)..=cell.saturating_add(reach) {
                for access in noted.logged.get(&(site, other)).map_or(&[][..], Vec::as_slice) {
                    let pair = [access.thread, check.thread];
                    // Only the earlier of two accesses in an execution can be the hit.
                    if access.time > check.time || !scopes.are_pair(&threads[pair[0]], &threads[pair[1]]) {
                        continue;
                    }
                    let meet = access.epoch == check.epoch && cell == other;
                    let count = tried.entry((obligation, meet)).or_default();
                    if *count < PAIRS_TRIED {
                        *count += 1;
                        if meet { near.push(pair) } else { far.push(pair) }
                    }
                }
            }
        }
        near.extend(far);
        let mut distinct: Vec<[usize; 2]> = Vec::new();
        for pair in near {
            if !distinct.contains(&pair) {
                distinct.push(pair);
            }
        }
        distinct
    }
}

impl Noted {
    fn add(&mut self, machine: &Machine<'_>, [first, second]: [usize; 2]) {
        for access in &machine.logged {
            let known = self.logged.entry((access.site, access.cell)).or_default();
            let is_new = known.iter().all(|met| met.thread != first || met.epoch != access.epoch);
            if is_new && known.len() < MOST_OF_CELL {
                known.push(Met { thread: first, epoch: access.epoch, time: access.choice });
            }
        }
        for check in &machine.checked {
            let met = Met { thread: second, epoch: check.epoch, time: check.choices };
            self.checked.push((check.obligation, check.cell, met));
        }
        self.number += machine.logged.len() + machine.checked.len();
    }
}
