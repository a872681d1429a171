//! Finds the missing invariant: the lost candidate whose assumption would show the unproved goal.
//!
//! Many candidates are lost for each one that matters, most because they are false. So each is
//! assumed in turn, together with the existing invariants, and a query checks whether the assertion
//! follows. A candidate that contradicts the rest implies everything, and does not count. If no
//! candidate suffices by itself, all together may. Those that are not needed are then left out one
//! by one.

use cranelift_entity::EntityRef;
use lockstep_invariants::{self as invariants, CandidateId, Check};
use lockstep_ir::sequential::{Expression, Loop, Program, Role, Statement, Variable, print_expression};
use lockstep_ir::source::Location;
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Session};
use lockstep_verdict::reason::{Loss, LostInvariant, Meaning, Missing};

use crate::discharge::decide::{Decider, Thoroughness};
use crate::discharge::usable_facts;
use crate::encode::{Encoding, Source};
use crate::explain::{Attempt, access_place, loop_place, phase};

/// The budgets of finding the invariant, and of each question.
const ALL: Effort = 5_000_000;
const EACH: Effort = 200_000;

/// The maximum numbers of candidates that are assumed one by one, and together.
const SINGLES: usize = 24;
const TOGETHER: usize = 48;

/// The invariant that is missing for a goal, and its loop.
pub fn missing(
    program: &Program,
    encoding: &mut Encoding,
    goal: usize,
    attempt: &Attempt<'_>,
    session: &mut Session,
) -> (Missing, Option<Loop>) {
    match search(encoding, goal, attempt, session) {
        Found::Candidate { candidate, others } => {
            let lost = lost_invariant(program, attempt, candidate, others);
            (Missing::Lost(Box::new(lost)), Some(attempt.candidates[candidate.index()].loop_))
        }
        Found::NotProposed(candidates) => (Missing::NotProposed(candidates), None),
        Found::Unclear => (Missing::Unclear, None),
    }
}

enum Found {
    /// This candidate, the first that fell, and the number of others that fell later.
    Candidate {
        candidate: CandidateId,
        others: usize,
    },
    /// None of the candidates, given their number, would have shown the goal.
    NotProposed(usize),
    Unclear,
}

fn search(encoding: &mut Encoding, goal: usize, attempt: &Attempt<'_>, session: &mut Session) -> Found {
    if attempt.candidates.is_empty() && !encoding.complete {
        return Found::NotProposed(0);
    }
    let pool = pool(encoding, goal, attempt);
    if pool.is_empty() || !session.techniques().has(Technique::MissingInvariants) {
        return Found::Unclear;
    }
    session.set_allowance(session.spent() + ALL);
    let mut asking = Asking { encoding, goal, attempt, session, decider: Decider::default() };
    for &candidate in pool.iter().take(SINGLES) {
        if asking.shows(&[candidate]) {
            return Found::Candidate { candidate, others: 0 };
        }
    }
    let mut needed: Vec<CandidateId> = pool.iter().copied().take(TOGETHER).collect();
    if !asking.shows(&needed) {
        return if asking.session.out_of_time() { Found::Unclear } else { Found::NotProposed(pool.len()) };
    }
    for candidate in pool.into_iter().take(TOGETHER).rev() {
        let without: Vec<CandidateId> = needed.iter().copied().filter(|&other| other != candidate).collect();
        if !without.is_empty() && asking.shows(&without) {
            needed = without;
        }
    }
    let order = |candidate: &CandidateId| attempt.lost.iter().position(|lost| lost.candidate == *candidate);
    let first = needed.iter().copied().min_by_key(|candidate| order(candidate).unwrap_or(usize::MAX));
    first.map_or(Found::Unclear, |candidate| Found::Candidate { candidate, others: needed.len() - 1 })
}

/// The candidates that may be missing, those about thread 1's access first.
///
/// Within each part, they are in the order in which they fell.
fn pool(encoding: &Encoding, goal: usize, attempt: &Attempt<'_>) -> Vec<CandidateId> {
    let position = encoding.goals[goal].position;
    let mut there = vec![false; attempt.candidates.len()];
    for (_, fact) in encoding.facts_before(position) {
        if let Source::Candidate(candidate) = fact.source {
            there[candidate.index()] = !attempt.live[candidate.index()];
        }
    }
    let marked = |marks: &[bool]| -> Vec<CandidateId> {
        (0..marks.len()).filter(|&index| marks[index]).map(CandidateId::new).collect()
    };
    let unsettled = attempt.undecided.map_or(Vec::new(), |(open, _)| marked(open));
    let fallen = attempt.lost.iter().map(|lost| lost.candidate);
    let mut pool: Vec<CandidateId> = Vec::new();
    for candidate in fallen.chain(unsettled).chain(marked(attempt.falsified)) {
        if std::mem::take(&mut there[candidate.index()]) {
            pool.push(candidate);
        }
    }
    let hit = hit_of(encoding, goal);
    let concerns = |candidate: &CandidateId| {
        let mut mentions = hit.is_empty();
        let condition = attempt.candidates[candidate.index()].condition;
        encoding.expressions.for_each_variable(condition, |variable| mentions |= hit.contains(&variable));
        !mentions
    };
    pool.sort_by_key(concerns);
    pool
}

/// The hit variables that an assertion's condition mentions.
///
/// They have the same roles as its symbols.
fn hit_of(encoding: &Encoding, goal: usize) -> Vec<Variable> {
    let expressions = &encoding.expressions;
    let mut sites = Vec::new();
    expressions.for_each_variable(encoding.goals[goal].condition, |variable| {
        if let Role::Hit(site) = expressions.variables()[variable].role {
            sites.push(site);
        }
    });
    let is_hit = |role| matches!(role, Role::Hit(site) if sites.contains(&site));
    expressions.variables().iter().filter(|(_, data)| is_hit(data.role)).map(|(variable, _)| variable).collect()
}

struct Asking<'a, 'b> {
    encoding: &'a mut Encoding,
    goal: usize,
    attempt: &'a Attempt<'b>,
    session: &'a mut Session,
    decider: Decider,
}

impl Asking<'_, '_> {
    /// Whether these candidates can be assumed and imply the goal.
    fn shows(&mut self, assumed: &[CandidateId]) -> bool {
        let mut live = self.attempt.live.to_vec();
        for candidate in assumed {
            live[candidate.index()] = true;
        }
        let goal = &self.encoding.goals[self.goal];
        let (position, condition) = (goal.position, goal.condition);
        let facts = usable_facts(self.encoding, position, &live);
        let fails = self.encoding.expressions.not(condition);
        let refuted: Vec<Expression> = facts.iter().copied().chain([fails]).collect();
        matches!(self.ask(&refuted), Checked::Unsatisfiable) && !matches!(self.ask(&facts), Checked::Unsatisfiable)
    }

    fn ask(&mut self, parts: &[Expression]) -> Checked {
        let e = &mut self.encoding.expressions;
        self.decider.decide(e, self.session, parts, EACH, Thoroughness::Brief)
    }
}

/// A candidate, how it was lost, and the meanings of its names.
fn lost_invariant(program: &Program, attempt: &Attempt<'_>, candidate: CandidateId, others: usize) -> LostInvariant {
    let data = &attempt.candidates[candidate.index()];
    LostInvariant {
        invariant: print_expression(&program.expressions, data.condition),
        of_loop: loop_place(program, data.loop_),
        others,
        lost: loss(program, attempt, candidate),
        names: meanings(program, data.condition),
    }
}

/// How a candidate was lost.
fn loss(program: &Program, attempt: &Attempt<'_>, candidate: CandidateId) -> Loss {
    let data = &attempt.candidates[candidate.index()];
    if attempt.falsified.get(candidate.index()) == Some(&true) {
        return Loss::Falsified;
    }
    let Some(lost) = attempt.lost.iter().find(|lost| lost.candidate == candidate) else {
        let question = attempt.undecided.and_then(|(_, check)| check);
        let question = question.map(|check: Check| (phase(check.phase), loop_place(program, check.loop_)));
        return Loss::Unsettled(question);
    };
    let lines = match lost.check.phase {
        invariants::Phase::Entry => Vec::new(),
        invariants::Phase::Step => changes(program, data.loop_, data.condition),
    };
    Loss::Dropped { refuted: lost.refuted, phase: phase(lost.check.phase), lines }
}

/// The lines of a loop's statements that change the variables of a condition.
fn changes(program: &Program, loop_: Loop, condition: Expression) -> Vec<u32> {
    let mut assignments: Vec<Assignment> = Vec::new();
    collect(program, &program.loops[loop_].body, &mut assignments);
    let mentions = |expression: Expression| {
        let mut mentioned: Vec<Variable> = Vec::new();
        program.expressions.for_each_variable(expression, |variable| mentioned.push(variable));
        mentioned
    };
    let mut lines: Vec<u32> = Vec::new();
    for variable in mentions(condition) {
        if matches!(program.expressions.variables()[variable].role, Role::Counter(_)) {
            continue;
        }
        for assignment in assignments.iter().filter(|assignment| assignment.variable == variable) {
            // The value of a variable at the loop's head comes from the place where it was
            // computed.
            let from = assignment.value.map_or(Vec::new(), mentions);
            let is_source = |other: &&Assignment| {
                let data = &program.expressions.variables()[other.variable];
                from.contains(&other.variable) && other.variable != variable && data.role == Role::Value
            };
            let sources: Vec<u32> = assignments.iter().filter(is_source).map(|other| other.line).collect();
            lines.extend(if sources.is_empty() { vec![assignment.line] } else { sources });
        }
    }
    lines.retain(|&line| line > 0);
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// An assignment of a value to a variable.
struct Assignment {
    variable: Variable,
    /// The value, unless it is arbitrary.
    value: Option<Expression>,
    /// The line, 0 if unknown.
    line: u32,
}

/// All assignments of statements and of the loops among them.
fn collect(program: &Program, statements: &[Statement], out: &mut Vec<Assignment>) {
    let line = |location: Option<Location>| location.map_or(0, |location| program.locations[location].line);
    for statement in statements {
        match statement {
            &Statement::Assign { variable, value, location } => {
                out.push(Assignment { variable, value: Some(value), line: line(location) });
            }
            &Statement::Havoc { variable, location, .. } => {
                out.push(Assignment { variable, value: None, line: line(location) });
            }
            &Statement::Loop(inner) => collect(program, &program.loops[inner].body, out),
            Statement::Assume { .. } | Statement::Assert { .. } => {}
        }
    }
}

/// The meanings of the names in a condition that do not come from the source.
fn meanings(program: &Program, condition: Expression) -> Vec<(String, Meaning)> {
    let mut variables = std::collections::BTreeSet::new();
    program.expressions.for_each_variable(condition, |variable| {
        variables.insert(variable);
    });
    let meaning = |variable: Variable| {
        let data = &program.expressions.variables()[variable];
        let meaning = match data.role {
            Role::Hit(site) => Meaning::Hit(access_place(program, site)),
            Role::Recorded(site) => {
                let recorded = program.sites[site].recorded.iter().find(|recorded| recorded.recorded == variable)?;
                Meaning::Recorded(program.expressions.variables()[recorded.original].name.clone())
            }
            Role::Written(_) => Meaning::Written,
            Role::Counter(loop_) => Meaning::Iterations(loop_place(program, loop_)),
            Role::ExitCounter(loop_) => Meaning::ExitIterations(loop_place(program, loop_)),
            Role::Input
            | Role::Watched
            | Role::Value
            | Role::Predicate
            | Role::Ghost
            | Role::Contents
            | Role::Choice => return None,
        };
        Some((data.name.clone(), meaning))
    };
    variables.into_iter().filter_map(meaning).collect()
}
