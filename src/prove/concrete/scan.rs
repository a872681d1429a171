//! Executes every thread of a small launch, and looks which accesses of two of them meet.
//!
//! Each execution has two threads; what each accesses hardly depends on which the other is. So the accesses of all are
//! noted once, and where those of two threads meet, these two are executed together: only what that shows counts.

use lockstep_ir::sequential::{Obligation, ObligationKind, Site};
use rustc_hash::FxHashMap;

use super::machine::{Machine, Plan};
use super::scopes::{Scopes, Thread};
use super::tape::Wished;
use super::{Inputs, REACH, Search, rule};

/// The most accesses of a launch that are noted.
const MOST_NOTED: usize = 1 << 18;

/// So many threads are executed whatever it takes: those at the corners, of two dimensions.
const CORNERS: usize = 4;

/// The most accesses of one cell at one site that are noted.
const MOST_OF_CELL: usize = 8;

/// Pairs of threads that are executed together, for each obligation.
const PAIRS_TRIED: usize = 2;

/// With more accesses than these only equal cells are compared.
const NEAR_MISSES: usize = 20_000;

/// The accesses of a launch's threads.
#[derive(Default)]
struct Noted {
    /// Thread 1's, by site and cell.
    logged: FxHashMap<(Site, u64), Vec<Met>>,
    /// Thread 2's: what is asserted, and the cell.
    checked: Vec<(Obligation, u64, Met)>,
    /// How many.
    number: usize,
    /// Whether more steps would not show more.
    all: bool,
    /// What parameters would have to be for equations with them to hold for the first pair.
    wishes: Vec<(Wished, u64)>,
}

/// Who was somewhere, and when.
#[derive(Clone, Copy)]
struct Met {
    thread: usize,
    /// How many barriers had been executed before.
    epoch: u32,
    /// How many choices: threads move in step, so that of two accesses the one with fewer comes first.
    time: u64,
}

impl Search<'_> {
    /// Executes the threads of a launch, spending at most so many steps on noting what they access. Whether there is no
    /// more to be seen with more steps.
    pub(super) fn scan(
        &mut self,
        scopes: &Scopes<'_>,
        inputs: &Inputs,
        threads: &[Thread],
        number: u64,
        steps: u64,
    ) -> bool {
        // Half of the steps are for those that meet.
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
            // The last may take more than is left: half an execution shows nothing.
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
                    // Only what comes first in an execution can be the hit of it.
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
