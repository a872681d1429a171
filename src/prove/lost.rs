//! Finds the invariant that is missing: of the candidates that were lost, the one whose assumption shows what was not proved.
//!
//! Many candidates are lost for each that matters, most because they are false. So each is assumed in turn, together with
//! the invariants that there are, and it is asked whether the assertion follows. What contradicts the rest shows
//! everything, and does not count. If no candidate does by itself, all together may, and those that are not needed for it
//! are left out one by one.

use cranelift_entity::EntityRef;
use lockstep_invariants::{CandidateId, Check, Phase};
use lockstep_ir::sequential::{Expression, Loop, Program, Role, Statement, Variable, print_expression};
use lockstep_ir::source::Location;

use crate::prove::decide::{Decider, Thoroughness};
use crate::prove::discharge::usable_facts;
use crate::prove::encode::{Encoding, Source};
use crate::prove::explain::{Attempt, loop_in_words, site_in_words};
use crate::solver::{Checked, Effort, Session};
use crate::techniques::Technique;

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// This candidate of the loop, the first that fell, and how many others that fell later.
    Candidate {
        /// Which.
        candidate: CandidateId,
        /// The loop.
        loop_: Loop,
        /// How many others are needed as well.
        others: usize,
    },
    /// None of the candidates, of which there were so many, would have shown it.
    NotProposed(usize),
    /// It was not found out.
    Unclear,
}

/// What finding the invariant may cost, and each question.
const ALL: Effort = 5_000_000;
const EACH: Effort = 200_000;

/// The most candidates that are assumed one by one, and together.
const SINGLES: usize = 24;
const TOGETHER: usize = 48;

/// What is missing to prove a goal.
pub fn missing(encoding: &mut Encoding, goal: usize, attempt: &Attempt<'_>, session: &mut Session) -> Missing {
    if attempt.candidates.is_empty() && !encoding.complete {
        return Missing::NotProposed(0);
    }
    let pool = pool(encoding, goal, attempt);
    if pool.is_empty() || !session.techniques().has(Technique::MissingInvariants) {
        return Missing::Unclear;
    }
    session.set_allowance(session.spent() + ALL);
    let mut asking = Asking { encoding, goal, attempt, session, decider: Decider::default() };
    let found = |candidate: CandidateId, others| Missing::Candidate {
        candidate,
        loop_: attempt.candidates[candidate.index()].loop_,
        others,
    };
    for &candidate in pool.iter().take(SINGLES) {
        if asking.shows(&[candidate]) {
            return found(candidate, 0);
        }
    }
    let mut needed: Vec<CandidateId> = pool.iter().copied().take(TOGETHER).collect();
    if !asking.shows(&needed) {
        return if asking.session.out_of_time() { Missing::Unclear } else { Missing::NotProposed(pool.len()) };
    }
    for candidate in pool.into_iter().take(TOGETHER).rev() {
        let without: Vec<CandidateId> = needed.iter().copied().filter(|&other| other != candidate).collect();
        if !without.is_empty() && asking.shows(&without) {
            needed = without;
        }
    }
    let order = |candidate: &CandidateId| attempt.lost.iter().position(|lost| lost.candidate == *candidate);
    let first = needed.iter().copied().min_by_key(|candidate| order(candidate).unwrap_or(usize::MAX));
    first.map_or(Missing::Unclear, |first| found(first, needed.len() - 1))
}

/// The candidates that may be what is missing, those about thread 1's access first, then in the order in which they fell.
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

/// The variables for hits that an assertion's condition speaks of; they have the same roles as its symbols.
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
    /// Whether the goal follows if these candidates are assumed, and they can be.
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

/// The missing invariant, how it was lost, and what its names mean.
pub fn in_words(program: &Program, attempt: &Attempt<'_>, missing: &Missing) -> Vec<String> {
    match *missing {
        Missing::Unclear => Vec::new(),
        Missing::NotProposed(0) => vec!["no loop invariants were proposed".to_owned()],
        Missing::NotProposed(count) => {
            let which = if count == 1 { "the one that was proposed and lost" } else { "those proposed and lost" };
            vec![format!("no loop invariant that would show it was proposed: {which} ({count}) would not")]
        }
        Missing::Candidate { candidate, loop_, others } => {
            let condition = attempt.candidates[candidate.index()].condition;
            let and_others = if others == 0 { String::new() } else { format!(", with {others} more,") };
            let invariant = print_expression(&program.expressions, condition);
            let mut lines = vec![format!(
                "lost invariant of the {} that{and_others} would show it: `{invariant}`",
                loop_in_words(program, loop_)
            )];
            lines.push(format!("how it was lost: {}", how(program, attempt, candidate)));
            lines.extend(meanings(program, condition));
            lines
        }
    }
}

/// At which step a candidate was lost.
fn how(program: &Program, attempt: &Attempt<'_>, candidate: CandidateId) -> String {
    let data = &attempt.candidates[candidate.index()];
    let the_loop = loop_in_words(program, data.loop_);
    if attempt.falsified.get(candidate.index()) == Some(&true) {
        return format!("it does not hold: an execution falsifies it at the head of the {the_loop}");
    }
    let Some(lost) = attempt.lost.iter().find(|lost| lost.candidate == candidate) else {
        let at = match attempt.undecided.and_then(|(_, check)| check) {
            Some(Check { loop_, phase: Phase::Entry }) => {
                format!(", with the question what holds before the {}", loop_in_words(program, loop_))
            }
            Some(Check { loop_, phase: Phase::Step }) => {
                format!(", with the question what an iteration of the {} keeps", loop_in_words(program, loop_))
            }
            None => String::new(),
        };
        return format!("the effort for finding invariants ended before it was settled{at}");
    };
    match (lost.refuted, lost.check.phase) {
        (true, Phase::Entry) => format!("it does not hold before the {the_loop}"),
        (true, Phase::Step) => {
            format!("it is not kept by an iteration of the {the_loop}{}", changes(program, data.loop_, data.condition))
        }
        (false, Phase::Entry) => format!("the solver could not show it before the {the_loop}"),
        (false, Phase::Step) => format!(
            "the solver could not show that an iteration of the {the_loop} keeps it{}",
            changes(program, data.loop_, data.condition)
        ),
    }
}

/// The statements of a loop that change what a condition speaks of: `, for what is done in line 7`.
fn changes(program: &Program, loop_: Loop, condition: Expression) -> String {
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
            // What a variable is at the loop's head is taken from where it has been computed.
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
    let all: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &all[..] {
        [] => String::new(),
        [one] => format!(", for what is done in line {one}"),
        all => format!(", for what is done in lines {}", all.join(", ")),
    }
}

/// A variable is given a value.
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

/// What the names in a condition mean that the source does not have.
fn meanings(program: &Program, condition: Expression) -> Option<String> {
    let mut variables = std::collections::BTreeSet::new();
    program.expressions.for_each_variable(condition, |variable| {
        variables.insert(variable);
    });
    let mut meanings = Vec::new();
    for variable in variables {
        let data = &program.expressions.variables()[variable];
        let meaning = match data.role {
            Role::Hit(site) => {
                format!("thread 1 has made {}, in the cell that thread 2 accesses", site_in_words(program, site))
            }
            Role::Recorded(site) => {
                let recorded = program.sites[site].recorded.iter().find(|recorded| recorded.recorded == variable);
                let original = recorded.map(|recorded| &program.expressions.variables()[recorded.original].name);
                let Some(original) = original else { continue };
                format!("what {original} was then")
            }
            Role::Written(_) => "what was written then".to_owned(),
            Role::Counter(loop_) => format!("the completed iterations of the {}", loop_in_words(program, loop_)),
            Role::ExitCounter(loop_) => {
                format!("the iterations of the {} when the thread left it", loop_in_words(program, loop_))
            }
            Role::Input | Role::Watched | Role::Value | Role::Predicate | Role::Contents | Role::Choice => continue,
        };
        meanings.push(format!("`{}`: {meaning}", data.name));
    }
    (!meanings.is_empty()).then(|| format!("where {}", meanings.join("; ")))
}
