//! Instances of axioms about uninterpreted functions, for the terms that occur.
//!
//! An axiom holds for all values, so it holds for the values that terms have at any place of the
//! program. An **instance**, with terms in place of the variables, may therefore be assumed
//! anywhere. Instances are made for the terms that match a pattern of the axiom. The terms are the
//! applications of functions in the program and, for a few rounds, those in instances.
//!
//! The instances are weaker than the axiom. So proofs are sound, but some are not found. A state in
//! which an assertion fails may not be a state of any function that satisfies the axiom, so a
//! defect is only a possible one.

use std::collections::BTreeSet;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::UNINTERPRETED;
use lockstep_ir::sequential::{Expression, Expressions, Function, Node, Program, Sort, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instances::{Instance, Terms, place};
use crate::axioms::{Axiom, Axioms, Operation, Term, TermKind};

/// The number of rounds in which the terms of instances yield further instances.
const ROUNDS: usize = 5;

/// The most instances of all axioms together, and of one axiom in a round.
const MOST: usize = 600;
const MOST_AT_ONCE: usize = 200;

/// Assumes instances of axioms for a program's terms.
pub fn assume_axioms(program: &mut Program, files: &[Axioms]) {
    let mut instances = Instances::of(program);
    for _ in 0..ROUNDS {
        let before = instances.all.len();
        for axioms in files {
            for axiom in &axioms.axioms {
                instances.add(program, axioms, axiom);
            }
        }
        if instances.all.len() == before {
            break;
        }
    }
    for (file, line) in &instances.origins {
        let place = lockstep_ir::source::Place { file: file.clone(), line: *line };
        program.assumptions.add(Assumed::Axioms { file: file.clone() }.at([place]));
    }
    place(program, &instances.all, &instances.terms);
}

struct Instances {
    all: Vec<Instance>,
    conditions: FxHashSet<Expression>,
    /// The applications that occur, in order, each with the terms of the program that it comes
    /// from.
    applications: Vec<(Expression, BTreeSet<Expression>)>,
    known: FxHashSet<Expression>,
    /// The places of the applications.
    terms: Terms,
    /// The files and lines of the axioms that have instances.
    origins: BTreeSet<(String, u32)>,
    /// The functions by their names in axioms.
    functions: FxHashMap<String, Function>,
}

impl Instances {
    fn of(program: &mut Program) -> Self {
        let named = program.expressions.functions().iter();
        let named =
            named.filter_map(|(function, data)| Some((data.name.strip_prefix(UNINTERPRETED)?.to_owned(), function)));
        let terms = Terms::of(program, &|e, part| is_application(e, part));
        let mut instances = Self {
            all: Vec::new(),
            conditions: FxHashSet::default(),
            applications: Vec::new(),
            known: FxHashSet::default(),
            functions: named.collect(),
            origins: BTreeSet::new(),
            terms,
        };
        for &application in &instances.terms.all {
            instances.known.insert(application);
            instances.applications.push((application, BTreeSet::from([application])));
        }
        instances
    }

    // --- Instances -------------------------------------------------------------------------------

    /// Adds the instances of an axiom for the terms that there are now.
    fn add(&mut self, program: &mut Program, axioms: &Axioms, axiom: &Axiom) {
        if axiom.variables.is_empty() && !self.concerns(axiom) {
            return;
        }
        let mut matches: Vec<(Vec<Option<Expression>>, BTreeSet<Expression>)> = Vec::new();
        for patterns in &axiom.patterns {
            let nothing = (vec![None; axiom.variables.len()], BTreeSet::new());
            let found = patterns.iter().fold(vec![nothing], |so_far, pattern| self.matches(program, pattern, so_far));
            matches.extend(self.complete(program, axiom, found));
        }
        for (values, made_for) in matches {
            if self.all.len() >= MOST {
                return;
            }
            let values: Vec<Expression> = values.into_iter().flatten().collect();
            let condition = self.build(&mut program.expressions, &axiom.body, &values);
            let trivial = program.expressions.as_boolean(condition) == Some(true);
            if trivial || !self.conditions.insert(condition) {
                continue;
            }
            for application in applications_in(&program.expressions, condition) {
                if self.known.insert(application) {
                    self.applications.push((application, made_for.clone()));
                }
            }
            let reason = format!("an axiom ({}:{})", axioms.file, axiom.line);
            self.origins.insert((axioms.file.clone(), axiom.line));
            self.all.push(Instance { condition, made_for, reason });
        }
    }

    /// Whether an axiom mentions a function that is applied, or mentions none.
    fn concerns(&self, axiom: &Axiom) -> bool {
        let (mut none, mut known) = (true, false);
        axiom.body.for_each(&mut |term| {
            if let TermKind::Apply(name, _) = &term.kind {
                none = false;
                known |= self.functions.contains_key(name);
            }
        });
        none || known
    }

    /// The ways in which some application matches a pattern, extending the variables bound so far.
    fn matches(
        &self,
        program: &mut Program,
        pattern: &Term,
        so_far: Vec<(Vec<Option<Expression>>, BTreeSet<Expression>)>,
    ) -> Vec<(Vec<Option<Expression>>, BTreeSet<Expression>)> {
        let mut found = Vec::new();
        for (values, made_for) in so_far {
            for (application, from) in &self.applications {
                let mut values = values.clone();
                if self.match_term(&mut program.expressions, pattern, *application, &mut values) {
                    found.push((values, made_for.union(from).copied().collect()));
                }
                if found.len() >= MOST_AT_ONCE {
                    return found;
                }
            }
        }
        found
    }

    /// Binds the variables of a pattern so that it becomes the term. A constant matches everything:
    /// the axiom's statement about the constant may be needed for a term that has this value.
    fn match_term(
        &self,
        e: &mut Expressions,
        pattern: &Term,
        term: Expression,
        values: &mut [Option<Expression>],
    ) -> bool {
        let term = in_bits(e, term, pattern.sort);
        match &pattern.kind {
            TermKind::Variable(index) => {
                let bound = values[*index].get_or_insert(term);
                *bound == term && e.sort(term) == pattern.sort
            }
            TermKind::Boolean(_) | TermKind::Bits(_) => true,
            TermKind::Apply(name, operands) => {
                // A truth value used as a number is an application inside a conditional expression.
                let applied = match *e.node(term) {
                    Node::IfThenElse(condition, ..) => condition,
                    _ => term,
                };
                self.match_application(e, name, operands, applied, values)
            }
            TermKind::Operation(..) => false,
        }
    }

    fn match_application(
        &self,
        e: &mut Expressions,
        name: &str,
        operands: &[Term],
        term: Expression,
        values: &mut [Option<Expression>],
    ) -> bool {
        let Node::Apply(function, given) = e.node(term).clone() else { return false };
        self.functions.get(name) == Some(&function)
            && operands.len() == given.len()
            && operands.iter().zip(given.iter()).all(|(pattern, &term)| self.match_term(e, pattern, term, values))
    }

    /// Substitutes every term of the sort for each variable that no pattern has bound.
    fn complete(
        &self,
        program: &mut Program,
        axiom: &Axiom,
        found: Vec<(Vec<Option<Expression>>, BTreeSet<Expression>)>,
    ) -> Vec<(Vec<Option<Expression>>, BTreeSet<Expression>)> {
        let mut complete = found;
        for (index, &sort) in axiom.variables.iter().enumerate() {
            if complete.iter().all(|(values, _)| values[index].is_some()) {
                continue;
            }
            let terms = self.terms(program, sort);
            let mut next = Vec::new();
            for (values, made_for) in complete {
                if values[index].is_some() {
                    next.push((values, made_for));
                    continue;
                }
                for (term, from) in &terms {
                    let mut values = values.clone();
                    values[index] = Some(*term);
                    next.push((values, made_for.union(from).copied().collect()));
                }
            }
            next.truncate(MOST_AT_ONCE);
            complete = next;
        }
        complete
    }

    /// The applications and arguments of a sort, with the terms of the program that they come from.
    fn terms(&self, program: &mut Program, sort: Sort) -> Vec<(Expression, BTreeSet<Expression>)> {
        let mut terms: Vec<(Expression, BTreeSet<Expression>)> = Vec::new();
        for (application, from) in &self.applications {
            let Node::Apply(_, operands) = program.expressions.node(*application).clone() else { continue };
            for term in operands.iter().copied().chain([*application]) {
                let term = in_bits(&mut program.expressions, term, sort);
                if program.expressions.sort(term) == sort && terms.iter().all(|(known, _)| *known != term) {
                    terms.push((term, from.clone()));
                }
            }
        }
        terms
    }

    /// A term of an axiom, instantiated with these values of its variables.
    fn build(&mut self, e: &mut Expressions, term: &Term, values: &[Expression]) -> Expression {
        match &term.kind {
            TermKind::Variable(index) => values[*index],
            TermKind::Boolean(value) => e.boolean(*value),
            TermKind::Bits(bits) => e.bits(bits.clone()),
            TermKind::Apply(name, operands) => {
                let operands: Vec<Expression> = operands.iter().map(|one| self.build(e, one, values)).collect();
                let function = if let Some(&function) = self.functions.get(name) {
                    function
                } else {
                    // A function that the program does not apply.
                    let parameters = operands.iter().map(|&operand| e.sort(operand)).collect();
                    let function = e.add_function(&format!("{UNINTERPRETED}{name}"), parameters, term.sort);
                    self.functions.insert(name.clone(), function);
                    function
                };
                let parameters = e.functions()[function].parameters.clone();
                let operands = operands.into_iter().zip(parameters);
                let operands = operands.map(|(operand, sort)| as_sort(e, operand, sort)).collect();
                let applied = e.apply(function, operands);
                in_bits(e, applied, term.sort)
            }
            TermKind::Operation(operation, operands) => {
                let operands: Vec<Expression> = operands.iter().map(|one| self.build(e, one, values)).collect();
                compute(e, *operation, &operands)
            }
        }
    }
}

/// The applications of the source's functions in an expression.
fn applications_in(e: &Expressions, expression: Expression) -> Vec<Expression> {
    super::instances::terms_in(e, expression, &is_application)
}

/// Whether an expression is an application of one of the source's functions.
fn is_application(e: &Expressions, part: Expression) -> bool {
    matches!(e.node(part), Node::Apply(function, _) if e.functions()[*function].name.starts_with(UNINTERPRETED))
}

/// A truth value as a number, where a number is wanted.
fn in_bits(e: &mut Expressions, term: Expression, wanted: Sort) -> Expression {
    if e.sort(term) != Sort::Boolean || wanted != Sort::Bits(1) {
        return term;
    }
    let (one, zero) = (e.number(1, 1), e.number(1, 0));
    e.if_then_else(term, one, zero)
}

/// A number as a truth value, where one is wanted.
fn as_sort(e: &mut Expressions, term: Expression, wanted: Sort) -> Expression {
    if wanted != Sort::Boolean || e.sort(term) != Sort::Bits(1) {
        return term;
    }
    let one = e.number(1, 1);
    e.equal(term, one)
}

fn compute(e: &mut Expressions, operation: Operation, operands: &[Expression]) -> Expression {
    match (operation, operands) {
        (Operation::Not, &[a]) => e.not(a),
        (Operation::And, all) => e.and(all.iter().copied()),
        (Operation::Or, all) => e.or(all.iter().copied()),
        (Operation::Implies, &[a, b]) => e.implies(a, b),
        (Operation::Equal, &[a, b]) => e.equal(a, b),
        (Operation::IfThenElse, &[a, b, c]) => e.if_then_else(a, b, c),
        (Operation::Complement, &[a]) => e.unary(UnaryOp::Not, a),
        (Operation::Negate, &[a]) => e.negate(a),
        (Operation::Add, &[a, b]) => e.add(a, b),
        (Operation::Subtract, &[a, b]) => e.subtract(a, b),
        (Operation::Binary(op), &[a, b]) => e.binary(op, a, b),
        (Operation::Compare(op), &[a, b]) => e.compare(op, a, b),
        (Operation::ZeroExtend(width), &[a]) => e.zero_extend(width, a),
        (Operation::SignExtend(width), &[a]) => e.sign_extend(width, a),
        (Operation::Extract(high, low), &[a]) => e.extract(high, low, a),
        (Operation::Concat, &[a, b]) => e.concat(a, b),
        (operation, operands) => panic!("{operation:?} of {} operands", operands.len()),
    }
}
