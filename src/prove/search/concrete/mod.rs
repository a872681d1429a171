//! Executes the program of two threads on concrete inputs: finds defects and refutes candidates.
//!
//! An execution that fails an assertion is a counterexample, no matter how many iterations it
//! takes: no loop is cut or unrolled. For races there are two executions of the same inputs. The
//! first records the cells that each thread accesses. The second watches a cell that both access
//! and makes thread 1's access the hit. So the watched cell is not left to chance.
//!
//! Inputs come from the solver's models (of the preconditions, or of goals that failed) and from
//! variations of them. Effort is counted in steps, never in seconds, so a program has the same
//! outcome on every machine.

mod compile;
mod inputs;
mod machine;
mod repair;
mod scan;
mod scopes;
mod smaller;
mod tape;
#[cfg(test)]
mod tests;
mod value;

use std::time::Duration;

use lockstep_invariants::Candidate;
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    Copies, Expression, Loop, Node, Obligation, ObligationKind, Program, Sort, Unknown, Variable,
};
use lockstep_ir::source::Location;
use lockstep_options::deadline::Deadline;
use rustc_hash::FxHashMap;

use crate::{ArrayContents, Counterexample};
use compile::compile;
pub use inputs::{Inputs, carried_over, of_model};
use inputs::{Knobs, set_number, watch};
use machine::{End, Machine, Plan};
use repair::Repair;
use scopes::Scopes;
pub use smaller::{only_possible, smaller};
use tape::{Code, Wished, at};
use value::{Rule, Taint, Value, mix};

/// The limits of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps of a single execution.
    pub each: u64,
    /// Steps for one variation of the inputs, over all its executions.
    pub variation: u64,
    /// Steps for one small scope, over all its executions.
    pub share: u64,
    /// Steps in total.
    pub all: u64,
    /// Variations of the inputs.
    pub variations: u64,
    /// Small scopes.
    pub scopes: u64,
    /// Steps for all threads of a small scope.
    pub scope: u64,
}

impl Effort {
    /// The part of this effort that fits into a time limit, beside other work.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        let seconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX) / 1_000;
        Self { all: self.all.min(seconds.max(1).saturating_mul(STEPS_PER_SECOND)), ..self }
    }
}

/// The steps per second of a kernel's time limit; executing them takes less than a fifth of it.
const STEPS_PER_SECOND: u64 = 4_000_000;

/// The effort before the first solver query.
pub const GLANCE: Effort = Effort {
    each: 300_000,
    variation: 900_000,
    share: 400_000,
    all: 2_500_000,
    variations: 48,
    scopes: 15,
    scope: 300_000,
};

/// The effort before phases that take seconds.
pub const LOOK: Effort = Effort {
    each: 1_000_000,
    variation: 800_000,
    share: 2_000_000,
    all: 16_000_000,
    variations: 48,
    scopes: 60,
    scope: 1_000_000,
};

/// The effort when a proof does not succeed at once.
pub const SYSTEMATIC: Effort = Effort {
    each: 2_000_000,
    variation: 800_000,
    share: 4_000_000,
    all: 60_000_000,
    variations: 200,
    scopes: 600,
    scope: 4_000_000,
};

/// The effort after everything else has failed; a single execution may take a million steps.
pub const EXHAUSTIVE: Effort = Effort {
    each: 8_000_000,
    variation: 8_000_000,
    share: 100_000_000,
    all: 1_000_000_000,
    variations: 100,
    scopes: 300,
    scope: 100_000_000,
};

/// The effort for the inputs of a failed proof's model.
pub const CLOSE_LOOK: Effort =
    Effort { each: 2_000_000, variation: 4_000_000, share: 0, all: 12_000_000, variations: 6, scopes: 0, scope: 0 };

/// The effort for refuting candidates.
pub const REFUTATION: Effort =
    Effort { each: 150_000, variation: 300_000, share: 0, all: 2_000_000, variations: 32, scopes: 0, scope: 0 };

/// The small scopes and variations tried after the first defect, to find another or a simpler one.
const AFTER_THE_FIRST: u64 = 24;

/// The fraction of a small scope's steps that is spent first, on a few threads at the corners.
const CORNERS: u64 = 8;

/// The conflicting pairs of accesses that are tried, per obligation and inputs.
const PAIRS_TRIED: usize = 3;

/// The maximum number of defects that are recorded for one program.
const MOST_REMEMBERED: usize = 16;

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Counterexamples, in the obligations' order.
    ///
    /// For each obligation, it is one of those found that depend on the fewest arbitrary values.
    pub defects: Vec<Counterexample>,
    /// Whether some execution reached the program's end.
    pub end_reached: bool,
}

/// Executes the program on `base`, its variations and small scopes, within the effort.
pub fn search(program: &Program, base: &Inputs, effort: Effort, deadline: Deadline) -> Explored {
    if deadline.passed() {
        return Explored::default();
    }
    let Some(code) = compile(program, &[]) else { return Explored::default() };
    let out = Explored::default();
    let (origins, latest, exhausted) = (FxHashMap::default(), Vec::new(), false);
    let left = effort.all;
    let mut search =
        Search { program, code: &code, effort, left, deadline, is_late: false, out, origins, latest, exhausted };
    let knobs = Knobs::of(program);
    let scopes = Scopes::of(program, &knobs);
    let mut repair = Repair::of(program, &code, &knobs);
    let mut end = effort.scopes.max(effort.variations);
    let mut found = false;
    // Scopes in which some threads have not been executed.
    let mut unfinished = Vec::new();
    for number in 0..effort.scopes.max(effort.variations) {
        if search.left <= effort.all / 3 || search.out.defects.len() >= MOST_REMEMBERED || number >= end {
            break;
        }
        if search.is_over() {
            break;
        }
        // The base is as good as any variation, once.
        if number < effort.variations {
            let inputs = if number == 0 { base.clone() } else { knobs.vary(program, base, number - 1) };
            let telling = scopes.telling_in(&inputs);
            if let Some(inputs) = repair.repaired(inputs, &telling) {
                search.within(effort.variation, |search| search.inputs(&inputs, number));
            }
        }
        if let Some(scope) = scopes.inputs(base, number).filter(|_| number < effort.scopes)
            && let Some(mut inputs) = repair.repaired(scope.inputs, &scope.telling)
        {
            knobs.fill_maps(program, &mut inputs, rule(number));
            let steps = effort.scope / CORNERS;
            let scan = |search: &mut Search<'_>| search.scan(&scopes, &inputs, &scope.threads, number, steps);
            if !search.within(effort.share, scan) {
                unfinished.push((inputs, scope.threads, number));
            }
        }
        if !found && search.out.defects.iter().any(|defect| defect.unknowns.is_empty()) {
            (found, end) = (true, end.min(number + AFTER_THE_FIRST));
        }
    }
    for (inputs, threads, number) in unfinished {
        let found = search.out.defects.iter().any(|defect| defect.unknowns.is_empty());
        if search.is_over() || found {
            break;
        }
        let steps = (effort.share).max(search.left / 4);
        search.within(steps, |search| search.scan(&scopes, &inputs, &threads, number, effort.scope));
    }
    search.out.defects.sort_by_key(|defect| defect.obligation);
    if !search.is_late {
        search.name_parameters(&scopes, &knobs);
    }
    search.out
}

/// The candidates that some execution falsifies; valid candidates are never among them.
pub fn refuted(
    program: &Program,
    candidates: &[Candidate],
    base: &Inputs,
    effort: Effort,
    deadline: Deadline,
) -> Vec<bool> {
    let conditions: Vec<(Loop, Expression)> =
        candidates.iter().map(|candidate| (candidate.loop_, candidate.condition)).collect();
    let mut falsified = vec![false; candidates.len()];
    let Some(code) = compile(program, &conditions).filter(|_| !deadline.passed()) else { return falsified };
    let knobs = Knobs::of(program);
    let mut left = effort.all;
    let mut execute = |inputs: &Inputs, plan: Plan, falsified: &mut Vec<bool>| {
        let mut machine = Machine::new(program, &code, inputs, plan, conditions.len());
        machine.until(deadline);
        if !machine.admissible() {
            return None;
        }
        machine.run();
        left = left.saturating_sub(plan.fuel - machine.fuel_left());
        for (all, new) in falsified.iter_mut().zip(&machine.falsified) {
            *all |= new;
        }
        (left > 0 && !deadline.passed()).then_some(machine.logged)
    };
    for number in 0..effort.variations {
        let inputs = if number == 0 { base.clone() } else { knobs.vary(program, base, number - 1) };
        let plan = Plan { rule: rule(number), hit: None, fuel: effort.each, remember: true };
        let Some(logged) = execute(&inputs, plan, &mut falsified) else { continue };
        // Only an execution with a hit can falsify a candidate's claim about hits.
        for choice in 0..2u64.min(u64::try_from(logged.len()).unwrap_or(2)) {
            let drawn = mix(number, choice) % u64::try_from(logged.len()).unwrap_or(1);
            let hit = logged[usize::try_from(drawn).unwrap_or(0)];
            let mut inputs = inputs.clone();
            watch(program, &mut inputs, program.sites[hit.site].array, hit.cell);
            let plan = Plan { hit: Some(hit.choice), remember: false, ..plan };
            execute(&inputs, plan, &mut falsified);
        }
    }
    falsified
}

/// The rule for arbitrary values: zero, small, or any.
fn rule(number: u64) -> Rule {
    let bits = match number % 3 {
        0 => 0,
        1 => 3,
        _ => 64,
    };
    Rule { seed: mix(2, number), bits }
}

struct Search<'a> {
    program: &'a Program,
    code: &'a Code,
    effort: Effort,
    left: u64,
    deadline: Deadline,
    /// Whether the deadline has passed.
    is_late: bool,
    out: Explored,
    /// The inputs, with their number, with which each defect was found.
    origins: FxHashMap<Obligation, (Inputs, u64)>,
    /// The defects that were found most recently.
    latest: Vec<Obligation>,
    /// Whether an execution was cut short.
    exhausted: bool,
}

impl<'a> Search<'a> {
    /// Runs `what` with at most this many of the remaining steps.
    fn within<R>(&mut self, steps: u64, what: impl FnOnce(&mut Self) -> R) -> R {
        let others = self.left.saturating_sub(steps);
        self.left -= others;
        let result = what(self);
        self.left += others;
        result
    }

    /// Whether the effort or the time is spent.
    fn is_over(&self) -> bool {
        self.left == 0 || self.is_late
    }

    fn inputs(&mut self, inputs: &Inputs, number: u64) {
        let wishes = self.execute(inputs, number);
        self.remember_origin(inputs, number);
        if !wishes.is_empty() {
            let granted = self.granted(inputs, wishes);
            self.execute(&granted, number);
            self.remember_origin(&granted, number);
        }
    }

    /// The inputs with parameters set to the values to which the program compares them.
    fn granted(&self, inputs: &Inputs, wishes: Vec<(Wished, u64)>) -> Inputs {
        let mut inputs = inputs.clone();
        for (wished, word) in wishes {
            let Sort::Bits(width) = self.program.expressions.variables()[wished.input].sort else { continue };
            inputs[at(wished.input)] = wished.set(&inputs[at(wished.input)], width, word);
        }
        inputs
    }

    /// Records the inputs of the defects found most recently.
    fn remember_origin(&mut self, inputs: &Inputs, number: u64) {
        for obligation in std::mem::take(&mut self.latest) {
            self.origins.insert(obligation, (inputs.clone(), number));
        }
    }

    /// Executes the program on inputs.
    ///
    /// It returns the parameter values that would satisfy equations with them.
    fn execute(&mut self, inputs: &Inputs, number: u64) -> Vec<(Wished, u64)> {
        let plan = Plan { rule: rule(number), hit: None, fuel: self.effort.each.min(self.left), remember: true };
        let Some(mut machine) = self.run(inputs, plan) else { return Vec::new() };
        let wishes = std::mem::take(&mut machine.wishes);
        for (cell, choice, obligation) in self.conflicts(&machine) {
            if self.is_over() || self.is_settled(obligation) {
                continue;
            }
            let mut inputs = inputs.clone();
            let ObligationKind::Race { logged, .. } = self.program.obligations[obligation].kind else { continue };
            watch(self.program, &mut inputs, self.program.sites[logged].array, cell);
            let plan = Plan { hit: Some(choice), fuel: self.effort.each.min(self.left), remember: false, ..plan };
            self.run(&inputs, plan);
        }
        wishes
    }

    /// Executes the program and records the defect that ends it.
    ///
    /// It also records earlier defects on which nothing depends.
    ///
    /// It is `None` if the inputs are not possible.
    fn run(&mut self, inputs: &Inputs, plan: Plan) -> Option<Machine<'a>> {
        let mut passed_over = Vec::new();
        loop {
            let plan = Plan { fuel: plan.fuel.min(self.left), ..plan };
            let mut machine = Machine::new(self.program, self.code, inputs, plan, 0);
            machine.pass_over(passed_over.clone());
            machine.until(self.deadline);
            if !machine.admissible() {
                return None;
            }
            let end = machine.run();
            self.spend(&machine, plan);
            self.out.end_reached |= end == End::Reached;
            self.exhausted |= end == End::Exhausted;
            if let End::Failed(obligation, taint) = end {
                self.add(&mut machine, obligation, taint);
                if self.program.obligations[obligation].kind.stands_alone() && !self.is_over() {
                    passed_over.push(obligation);
                    continue;
                }
            }
            return Some(machine);
        }
    }

    /// Names the parameters whose values decide whether the defects occur.
    ///
    /// The defects do not occur in this launch if these parameters are large.
    fn name_parameters(&mut self, scopes: &Scopes<'_>, knobs: &Knobs) {
        let mut defects = std::mem::take(&mut self.out.defects);
        for defect in defects.iter_mut().take(PARAMETERS_OF) {
            let Some((inputs, number)) = self.origins.get(&defect.obligation) else { continue };
            for (name, parameter) in self.program.observables.parameters.iter().take(PARAMETERS) {
                let Node::Variable(variable) = *self.program.expressions.node(*parameter) else { continue };
                let large = |value| {
                    let mut inputs = inputs.clone();
                    set_number(self.program, &mut inputs, variable, value);
                    knobs.multiply(self.program, &mut inputs);
                    self.is_without(scopes, &inputs, *number, defect.obligation)
                };
                let without: Vec<bool> = LARGE.into_iter().filter_map(large).collect();
                if knobs.parameters.contains(&variable) && !without.is_empty() && without.iter().all(|without| *without)
                {
                    defect.hinges.push(name.clone());
                }
            }
        }
        self.out.defects = defects;
    }

    /// Whether executing all threads of the launch does not show this defect.
    ///
    /// It is `None` if the inputs are not possible.
    fn is_without(&self, scopes: &Scopes<'_>, inputs: &Inputs, number: u64, obligation: Obligation) -> Option<bool> {
        let plan = Plan { rule: rule(number), hit: None, fuel: PROBE, remember: false };
        if !Machine::new(self.program, self.code, inputs, plan, 0).admissible() {
            return None;
        }
        let mut probe = Search {
            program: self.program,
            code: self.code,
            effort: Effort { each: PROBE, all: 2 * PROBE, ..self.effort },
            left: 2 * PROBE,
            deadline: self.deadline,
            is_late: self.is_late,
            out: Explored::default(),
            origins: FxHashMap::default(),
            latest: Vec::new(),
            exhausted: false,
        };
        probe.execute(inputs, number);
        probe.scan(scopes, inputs, &scopes.threads_of(inputs), number, PROBE);
        let found = probe.out.defects.iter().any(|found| found.obligation == obligation);
        Some(!found && !probe.exhausted)
    }

    fn spend(&mut self, machine: &Machine<'_>, plan: Plan) {
        self.left = self.left.saturating_sub(plan.fuel - machine.fuel_left());
        self.is_late |= self.deadline.passed();
    }

    /// Whether no better counterexample can be found for an obligation.
    fn is_settled(&self, obligation: Obligation) -> bool {
        self.out.defects.iter().any(|known| known.obligation == obligation && known.unknowns.is_empty())
    }

    /// Pairs of accesses that may race; pairs with no barrier between them come first.
    ///
    /// Each pair consists of the cell to watch, the choice that makes thread 1's access the hit,
    /// and the assertion.
    fn conflicts(&self, machine: &Machine<'a>) -> Vec<(u64, u64, Obligation)> {
        let mut logged: FxHashMap<(lockstep_ir::sequential::Site, u64), Vec<usize>> = FxHashMap::default();
        for (index, access) in machine.logged.iter().enumerate() {
            logged.entry((access.site, access.cell)).or_default().push(index);
        }
        // Accesses of several cells can overlap although their first cells differ.
        let few = machine.checked.len() < NEAR_MISSES;
        let reach = if few { REACH } else { 0 };
        let mut near: Vec<(u64, u64, Obligation)> = Vec::new();
        let mut far = Vec::new();
        let mut tried: FxHashMap<(Obligation, bool, bool), usize> = FxHashMap::default();
        for check in &machine.checked {
            let ObligationKind::Race { logged: site, .. } = self.program.obligations[check.obligation].kind else {
                continue;
            };
            if self.is_settled(check.obligation) {
                continue;
            }
            for cell in check.cell.saturating_sub(reach)..=check.cell.saturating_add(reach) {
                let Some(accesses) = logged.get(&(site, cell)) else { continue };
                let before = accesses.partition_point(|&access| access < check.logged);
                let Some(&access) = accesses[..before].last() else { continue };
                let access = machine.logged[access];
                let same_epoch = access.epoch == check.epoch;
                let count = tried.entry((check.obligation, same_epoch, cell == check.cell)).or_default();
                if *count < PAIRS_TRIED {
                    *count += 1;
                    let conflict = (cell.max(check.cell), access.choice, check.obligation);
                    if same_epoch && cell == check.cell { near.push(conflict) } else { far.push(conflict) }
                }
            }
        }
        near.extend(far);
        near
    }

    fn add(&mut self, machine: &mut Machine<'_>, obligation: Obligation, taint: Taint) {
        let defect = decode(self.program, self.code, machine, obligation, taint);
        match self.out.defects.iter_mut().find(|known| known.obligation == obligation) {
            Some(known) if known.unknowns.len() <= defect.unknowns.len() => return,
            Some(known) => *known = defect,
            None => self.out.defects.push(defect),
        }
        self.latest.push(obligation);
    }
}

/// Limits of the search for the decisive parameters.
///
/// They bound the defects, the parameters of each, and the steps with a large value.
const PARAMETERS_OF: usize = 4;
const PARAMETERS: usize = 12;
const PROBE: u64 = 300_000;

/// Parameter values beyond the reach of a small launch.
const LARGE: [u64; 2] = [1_000, 4_099];

/// With more accesses than this, only equal cells are compared.
const NEAR_MISSES: usize = 4_000;

/// The largest distance between the first cells of accesses of several cells that are compared.
const REACH: u64 = 8;

// --- Describing executions
// ---------------------------------------------------------------------------

fn decode(
    program: &Program,
    code: &Code,
    machine: &mut Machine<'_>,
    obligation: Obligation,
    taint: Taint,
) -> Counterexample {
    let unknowns = unknowns(code, machine, taint);
    let mut state = State { program, machine, instead: Vec::new() };
    let observables = &program.observables;
    let of_thread = |state: &mut State<'_, '_>, all: &[Copies<Expression>], thread: usize| -> Vec<u64> {
        all.iter().map(|copies| state.number(*copies.of(thread))).collect()
    };
    let mut defect = Counterexample {
        obligation,
        local_ids: [0, 1].map(|thread| of_thread(&mut state, &observables.local_ids, thread)),
        group_ids: [0, 1].map(|thread| of_thread(&mut state, &observables.group_ids, thread)),
        local_sizes: observables.local_sizes.iter().map(|&size| state.number(size)).collect(),
        num_groups: observables.num_groups.iter().map(|&size| state.number(size)).collect(),
        parameters: Vec::new(),
        cell: None,
        offsets: None,
        arrives: None,
        iterations: [Vec::new(), Vec::new()],
        unknowns,
        hinges: Vec::new(),
        contents: contents(program, state.machine),
    };
    for (name, parameter) in &observables.parameters {
        defect.parameters.extend(state.bits(*parameter).map(|bits| (name.clone(), bits)));
    }
    match &program.obligations[obligation].kind {
        ObligationKind::Race { logged, checked } => {
            let (logged, checked) = (&program.sites[*logged], &program.sites[*checked]);
            let watched = program.arrays[logged.array].watched;
            defect.cell = state.bits_of(watched).and_then(|bits| bits.to_u64());
            let second = state.bits(*checked.offset.of(1));
            defect.iterations[1] = state.iterations(&checked.loops);
            // The report shows thread 1 in its state when its site was hit.
            state.instead = logged.recorded.iter().map(|recorded| (recorded.original, recorded.recorded)).collect();
            let first = state.bits(*logged.offset.of(0));
            defect.iterations[0] = state.iterations(&logged.loops);
            defect.offsets = first.zip(second).map(|(first, second)| [first, second]);
        }
        ObligationKind::BarrierDivergence { active } | ObligationKind::WarpDivergence { active } => {
            defect.arrives = Some([0, 1].map(|thread| state.number(*active.of(thread)) != 0));
        }
        ObligationKind::OutOfBounds { cell, .. } => {
            let cell = state.bits(*cell);
            defect.cell = cell.as_ref().and_then(Bits::to_u64);
            defect.offsets = cell.map(|cell| [cell.clone(), cell]);
        }
        ObligationKind::GroupOperationDivergence
        | ObligationKind::Claim { .. }
        | ObligationKind::NamedBarrier(_)
        | ObligationKind::Signal(_)
        | ObligationKind::Digits { .. }
        | ObligationKind::InvariantEntry
        | ObligationKind::InvariantStep => {}
    }
    defect
}

/// The state in which an execution ended.
struct State<'a, 'm> {
    program: &'a Program,
    machine: &'a mut Machine<'m>,
    /// Variables whose values are taken from others.
    instead: Vec<(Variable, Variable)>,
}

impl State<'_, '_> {
    fn bits(&mut self, expression: Expression) -> Option<Bits> {
        let value = self.machine.evaluate(expression, &self.instead);
        sized(self.program.expressions.sort(expression), &value)
    }

    fn number(&mut self, expression: Expression) -> u64 {
        self.bits(expression).and_then(|bits| bits.to_u64()).unwrap_or(u64::MAX)
    }

    fn bits_of(&self, variable: Variable) -> Option<Bits> {
        let source =
            self.instead.iter().find(|(original, _)| *original == variable).map_or(variable, |(_, other)| *other);
        sized(self.program.expressions.variables()[variable].sort, &self.machine.value(source))
    }

    fn iterations(&self, loops: &[Loop]) -> Vec<(Loop, u64)> {
        let counter = |loop_: Loop| self.bits_of(self.program.loops[loop_].counter).and_then(|bits| bits.to_u64());
        loops.iter().map(|&loop_| (loop_, counter(loop_).unwrap_or(u64::MAX))).collect()
    }
}

fn sized(sort: Sort, value: &Value) -> Option<Bits> {
    match sort {
        Sort::Boolean => Some(value.bits(1)),
        Sort::Bits(width) => Some(value.bits(width)),
        Sort::Map { .. } => None,
    }
}

/// The number of leading cells of a read-only array that the report lists.
///
/// It also lists all further cells that have a value of their own.
const CELLS: u64 = 512;

/// The contents of read-only arrays.
fn contents(program: &Program, machine: &Machine<'_>) -> Vec<ArrayContents> {
    let variables = program.expressions.variables().keys();
    let known = variables.filter_map(|variable| {
        let contents = ArrayContents::of_variable(program, variable)?;
        Some(ArrayContents { cells: machine.value(variable).cells(CELLS), ..contents })
    });
    known.collect()
}

fn unknowns(code: &Code, machine: &Machine<'_>, taint: Taint) -> Vec<(Unknown, Option<Location>)> {
    let mut unknowns = Vec::new();
    for &member in machine.taints.members(taint) {
        let havoc = &code.havocs[tape::index(member)];
        let unknown = (havoc.unknown.clone(), havoc.location);
        if !unknowns.contains(&unknown) {
            unknowns.push(unknown);
        }
    }
    unknowns
}
