//! Decides a sequential program by inference, proof, and search for defects.
//!
//! It infers invariants, discharges obligations, and searches for defects by unrolling.

mod decision;
mod discharge;
mod encode;
mod explain;
mod infer;
mod questions;
mod recheck;
mod remember;
mod search;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use lockstep_invariants::{Sum, add_sums};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::{
    Expression, Ground, Invariant, Loop, Obligation, Program, Role, Sort, Unknown, Variable, VerifiedProgram,
};
use lockstep_ir::source::Location;
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::{Technique, Techniques};
use lockstep_solver::{Checked, Session, effort_of, in_fresh_context};
use lockstep_transform::lockstep::{Variant, VariantForm, Variants};
use lockstep_verdict::reason::Reason;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use decision::{Decision, Stage, go_on};
pub use explain::{arithmetic, unknown_value};
pub use infer::implied::leave_out_implied;
pub use questions::{Question, Questions, questions};
pub use recheck::conclude_and_recheck;
pub use remember::{Conclusion, conclude_all};
use search::concrete::{self, Explored, Inputs};
pub use search::concrete::{only_possible, smaller};
pub use search::straight::unrolled;
use search::unroll::MOST_DEFECTS;
use search::{counterexample, defects};

/// The options of a proof.
///
/// All of them are part of the key of a remembered proof, so all can be hashed.
#[derive(Clone, Debug, Hash)]
pub struct ProveOptions {
    /// The time limit of one kernel; effort is measured relative to it.
    pub timeout: Duration,
    /// The time at which everything ends.
    pub deadline: Deadline,
    /// The names of the candidate families that are disabled.
    pub omitted_families: Vec<String>,
    /// Whether candidates are disabled altogether (`--no-infer`).
    pub no_infer: bool,
    /// Whether only defects are searched (`--findbugs`).
    ///
    /// The number bounds the iterations of a loop with an unknown trip count.
    ///
    /// Nothing is proved then.
    pub only_defects: Option<u32>,
    /// Whether the search goes on once a defect is known.
    pub goes_on: bool,
    /// The enabled techniques (`--without`).
    pub techniques: Techniques,
    /// The language whose names for ids and sizes are used in explanations.
    pub language: Language,
}

impl Default for ProveOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(1),
            deadline: Deadline::NEVER,
            omitted_families: Vec::new(),
            no_infer: false,
            only_defects: None,
            goes_on: false,
            techniques: Techniques::default(),
            language: Language::OpenCl,
        }
    }
}

impl ProveOptions {
    /// The deadline of work that starts now.
    ///
    /// A deadline that is given may be later than the time that stands for the effort.
    fn ends(&self, start: Instant) -> Instant {
        self.deadline.or(start + self.timeout)
    }
}

/// The result of deciding a program.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The outcome.
    pub outcome: Outcome,
    /// The proved invariants, by loop, over the expressions of [`Proof::annotated`].
    pub invariants: Vec<(Loop, Invariant)>,
    /// The program with these invariants at its loops' heads.
    pub annotated: Program,
    /// Whether the proof rests on executing the loops to their ends.
    ///
    /// Otherwise, it is a proof by induction.
    pub executed: bool,
    /// The costs.
    pub statistics: ProofStatistics,
}

/// The outcome of deciding a program.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No execution fails an assertion.
    Proved,
    /// These executions fail an assertion: at least one, and one per failing obligation.
    Refuted(Vec<Counterexample>),
    /// Neither was shown, for this reason.
    Unknown(Reason),
    /// No launch satisfies the preconditions, for which these are the grounds.
    Impossible(Vec<Ground>),
}

/// An execution that fails an assertion.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The assertion.
    pub obligation: Obligation,
    /// Each thread's id in its group.
    pub local_ids: [Vec<u64>; 2],
    /// Each thread's group id.
    pub group_ids: [Vec<u64>; 2],
    /// The number of threads per group.
    pub local_sizes: Vec<u64>,
    /// The number of groups.
    pub num_groups: Vec<u64>,
    /// The scalar parameters.
    pub parameters: Vec<(String, Bits)>,
    /// The watched cell, for races.
    pub cell: Option<u64>,
    /// The first cell that each thread accesses, for races.
    pub offsets: Option<[Bits; 2]>,
    /// Whether each thread arrives at the barrier, for barrier divergence.
    pub arrives: Option<[bool; 2]>,
    /// The completed iterations of the loops around thread 1's and thread 2's accesses.
    ///
    /// Thread 1's are those at the time of the hit.
    pub iterations: [Vec<(Loop, u64)>; 2],
    /// The arbitrary values on which the failure depends, without [`Unknown::Choice`].
    pub unknowns: Vec<(Unknown, Option<Location>)>,
    /// The names of the scalar parameters whose values decide the failure, if this was tested.
    pub hinges: Vec<String>,
    /// The contents of read-only arrays.
    pub contents: Vec<ArrayContents>,
}

/// A counterexample with its program.
#[derive(Clone, Copy)]
pub struct Execution<'a> {
    /// The program.
    pub program: &'a Program,
    /// The execution that fails.
    pub counterexample: &'a Counterexample,
    /// The kernel's language.
    pub language: Language,
}

/// The contents of a read-only array, as far as an execution reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayContents {
    /// The array's name.
    pub array: String,
    /// The size of a cell in bytes, at most 8.
    pub cell_bytes: u64,
    /// Cell numbers in ascending order, with the cells' contents.
    pub cells: Vec<(u64, u64)>,
}

impl ArrayContents {
    /// Empty contents for the array that a variable represents; `None` for other variables.
    fn of_variable(program: &Program, variable: Variable) -> Option<Self> {
        let data = program.expressions.variables().get(variable)?;
        let (Role::Input, Sort::Map { element, .. }) = (data.role, data.sort) else { return None };
        // The copies of a struct that the threads change begin with the same contents.
        let name = data.name.strip_prefix("contents.").or_else(|| data.name.strip_prefix("initial."));
        let array = name?.to_owned();
        let cell_bytes = u64::from(element / 8);
        (1..=8).contains(&cell_bytes).then(|| Self { array, cell_bytes, cells: Vec::new() })
    }
}

/// The costs of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofStatistics {
    /// The seconds of invariant inference.
    pub infer_seconds: f64,
    /// The seconds of everything else.
    pub prove_seconds: f64,
    /// The number of candidates proposed.
    pub candidates_proposed: usize,
    /// The number of candidates proved.
    pub candidates_kept: usize,
    /// The number of obligations proved.
    pub obligations: usize,
    /// The number of solver calls, without queries that simplified to a constant.
    pub queries: usize,
}

/// Decides a program.
///
/// Defects are searched by executing it, and it is proved with its loops cut at their invariants.
/// Only an execution can refute. The cut encoding can prove, and so can an execution that covers
/// everything.
pub fn prove(program: &VerifiedProgram, options: &ProveOptions) -> Proof {
    prove_variants(&program.clone().into(), options)
}

/// Decides a program that has variants.
pub fn prove_variants(variants: &Variants, options: &ProveOptions) -> Proof {
    prove_all(&[Some(variants)], options).pop().flatten().expect("a proof of the program that there is")
}

/// Decides the programs for all kinds of thread pairs of a kernel in parallel, in stages.
///
/// Once a defect is known, the search goes on behind it if the options say so
/// ([`decision::go_on`]).
pub fn prove_all(pairs: &[Option<&Variants>], options: &ProveOptions) -> Vec<Option<Proof>> {
    if let Some(depth) = options.only_defects {
        return defects::look_for_defects(pairs, options, depth);
    }
    let start = Instant::now();
    let mut proofs = decide_in_stages(pairs, options, &[Stage::Short, Stage::Look, Stage::Long, Stage::Last]);
    go_on(pairs, options, start, &mut proofs);
    proofs
}

/// Decides programs in these stages.
///
/// Proofs and searches alternate, each with more effort than the last. No stage of one program
/// starts before all programs have finished the previous one. If one has a defect, the others are
/// not decided ([`Reason::BrokenOff`]). The stage at which this happens does not depend on the
/// clock.
fn decide_in_stages(pairs: &[Option<&Variants>], options: &ProveOptions, stages: &[Stage]) -> Vec<Option<Proof>> {
    let start = Instant::now();
    let programs: Vec<Option<Preparation>> =
        pairs.iter().map(|pair| pair.map(|variants| Preparation::new(variants, options))).collect();
    let glance_at = |prepared: &Preparation| in_fresh_context(|| glance(prepared.searched(), options, start));
    let glances: Vec<Option<Glance>> = programs.par_iter().map(|prepared| prepared.as_ref().map(glance_at)).collect();
    let begin = |(prepared, glance): (Preparation, Glance)| Decision::new(prepared, options, start, glance);
    let mut decisions: Vec<Option<Decision>> =
        programs.into_iter().zip(glances).map(|(prepared, glance)| prepared.zip(glance).map(begin)).collect();
    for &stage in stages {
        if decisions.iter().flatten().any(|decision| matches!(decision.outcome, Some(Outcome::Refuted(_)))) {
            break;
        }
        // A context costs more than many proofs.
        let open = decisions.par_iter_mut().flatten().filter(|decision| decision.outcome.is_none());
        open.for_each(|decision| in_fresh_context(|| decision.advance(stage)));
    }
    decisions.into_iter().map(|decision| decision.map(Decision::end)).collect()
}

/// The variants of a program, prepared for their proofs.
struct Preparation {
    /// The variant that is proved first.
    first: Prepared,
    /// The other variants that are proved, in order.
    others: VecDeque<Prepared>,
    /// The plain program, in which defects are searched, if it is not the last one that is proved.
    searched: Option<Program>,
}

impl Preparation {
    fn new(variants: &Variants, options: &ProveOptions) -> Self {
        let mut others: VecDeque<Prepared> =
            variants.to_prove().iter().map(|variant| Prepared::new(variant, options)).collect();
        let searched = variants.to_prove().iter().all(|variant| variant.form != VariantForm::Plain);
        Self {
            first: others.pop_front().expect("there is a program to prove"),
            others,
            searched: searched.then(|| (**variants.plain()).clone()),
        }
    }

    fn searched(&self) -> &Program {
        let last = || &self.others.back().unwrap_or(&self.first).program;
        self.searched.as_ref().unwrap_or_else(last)
    }
}

/// A variant with the ghost variables that inference needs.
struct Prepared {
    form: VariantForm,
    program: Program,
    sums: Vec<Sum>,
}

impl Prepared {
    fn new(variant: &Variant, options: &ProveOptions) -> Self {
        let mut program = (*variant.program).clone();
        let wanted = !options.no_infer && options.techniques.has(Technique::RunningSums);
        let sums = if wanted { add_sums(&mut program) } else { Vec::new() };
        debug_assert!(lockstep_ir::sequential::verify(program.clone()).is_ok(), "ghosts keep the rules");
        Self { form: variant.form, program, sums }
    }
}

/// The result of the first look at a program.
struct Glance {
    outcome: Option<Outcome>,
    /// Inputs that satisfy the preconditions.
    base: Option<Inputs>,
    /// Whether some execution reaches the end.
    end_reached: bool,
    queries: usize,
    seconds: f64,
}

/// Checks whether the preconditions can be satisfied, and executes the program a few times.
fn glance(program: &Program, options: &ProveOptions, start: Instant) -> Glance {
    let begun = Instant::now();
    let limit = effort_of(options.timeout / 10);
    let mut session = Session::new(limit, options.ends(start)).with(options.techniques);
    let mut expressions = program.expressions.clone();
    let solver = session.solver();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        session.assert(&solver, &expressions, precondition.condition);
    }
    let mut glance = Glance { outcome: None, base: None, end_reached: false, queries: 0, seconds: 0.0 };
    match counterexample::readable(program, &mut expressions, Vec::new(), &mut session, &solver, limit) {
        Checked::Unsatisfiable => glance.outcome = Some(contradictory_preconditions(program)),
        Checked::Satisfiable(model) => {
            let base = concrete::of_model(program, &mut expressions, &model, &mut session);
            let searched = options.techniques.has(Technique::ConcreteSearch);
            let search = || concrete::search(program, &base, concrete::GLANCE, Deadline::at(options.ends(start)));
            let mut explored = if searched { search() } else { Explored::default() };
            explored.defects.truncate(MOST_DEFECTS);
            glance.outcome = (!explored.defects.is_empty()).then_some(Outcome::Refuted(explored.defects));
            glance.end_reached = explored.end_reached;
            glance.base = Some(base);
        }
        Checked::Unknown => {}
    }
    glance.queries = session.queries();
    glance.seconds = begun.elapsed().as_secs_f64();
    glance
}

/// Parameters that satisfy the preconditions, by name.
///
/// There are none if the preconditions mention no parameters, or if none are found.
pub fn satisfying(program: &Program, options: &ProveOptions) -> Vec<(String, Bits)> {
    let parameters = &program.observables.parameters;
    let variables_in = |expressions: &mut dyn Iterator<Item = Expression>| {
        let mut variables = BTreeSet::new();
        expressions.for_each(|expression| {
            program.expressions.for_each_variable(expression, |variable| _ = variables.insert(variable));
        });
        variables
    };
    let stated = variables_in(&mut program.preconditions.iter().map(|precondition| precondition.condition));
    if stated.is_disjoint(&variables_in(&mut parameters.iter().map(|(_, parameter)| *parameter))) {
        return Vec::new();
    }
    in_fresh_context(|| {
        let limit = effort_of(options.timeout / 10);
        let mut session = Session::new(limit, options.ends(Instant::now())).with(options.techniques);
        let mut expressions = program.expressions.clone();
        let solver = session.solver();
        for precondition in program.preconditions.iter().chain(&program.exact) {
            session.assert(&solver, &expressions, precondition.condition);
        }
        match counterexample::readable(program, &mut expressions, Vec::new(), &mut session, &solver, limit) {
            Checked::Satisfiable(model) => {
                let value = |(name, parameter): &(String, Expression)| {
                    Some((name.clone(), model.bits(&mut session, &expressions, *parameter)?))
                };
                parameters.iter().filter_map(value).collect()
            }
            Checked::Unsatisfiable | Checked::Unknown => Vec::new(),
        }
    })
}

fn contradictory_preconditions(program: &Program) -> Outcome {
    let mut grounds: Vec<Ground> = Vec::new();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        if !grounds.contains(&precondition.ground) {
            grounds.push(precondition.ground.clone());
        }
    }
    Outcome::Impossible(grounds)
}
