//! Places of assumptions about terms: instances of statements that hold for all values.
//!
//! An instance holds for the values that its terms have at any place of the program, so it may be
//! assumed anywhere. It stands before each statement that mentions a term it was made for, unless
//! it is already known there. The check of a race mentions the terms of the first access, too, as
//! they were when it hit.

use std::collections::BTreeSet;

use lockstep_ir::sequential::{Expression, Expressions, Obligation, ObligationKind, Program, Statement, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// An instance of a statement that holds for all values.
pub struct Instance {
    /// The instance.
    pub condition: Expression,
    /// The terms of the program that it was made for.
    pub made_for: BTreeSet<Expression>,
    /// The statement, in words.
    pub reason: String,
}

/// The terms of a kind in a program.
#[derive(Default)]
pub struct Terms {
    /// The terms, in the order in which they are first mentioned.
    pub all: Vec<Expression>,
    /// Those in the preconditions.
    at_start: BTreeSet<Expression>,
    /// Those in each expression of the program.
    mentioned: FxHashMap<Expression, Vec<Expression>>,
}

/// Whether an expression is a term of a kind.
type IsTerm<'a> = &'a dyn Fn(&Expressions, Expression) -> bool;

impl Terms {
    /// The terms of a kind in a program.
    pub fn of(program: &Program, is_term: IsTerm<'_>) -> Self {
        let e = &program.expressions;
        let (mut terms, mut known) = (Self::default(), FxHashSet::default());
        for precondition in &program.preconditions {
            let found = terms_in(e, precondition.condition, is_term);
            terms.at_start.extend(found.iter().copied());
            terms.find(precondition.condition, found, &mut known);
        }
        for_each_expression(program, &program.body, &mut |expression| {
            if !terms.mentioned.contains_key(&expression) {
                let found = terms_in(e, expression, is_term);
                terms.find(expression, found, &mut known);
            }
        });
        terms
    }

    fn find(&mut self, expression: Expression, found: Vec<Expression>, known: &mut FxHashSet<Expression>) {
        self.all.extend(found.iter().copied().filter(|term| known.insert(*term)));
        self.mentioned.insert(expression, found);
    }
}

/// The terms of a kind in an expression.
pub fn terms_in(e: &Expressions, expression: Expression, is_term: IsTerm<'_>) -> Vec<Expression> {
    let mut found = Vec::new();
    e.for_each_part(expression, |part| {
        if is_term(e, part) {
            found.push(part);
        }
    });
    found.sort_unstable();
    found
}

/// Assumes instances where the terms are mentioned that they were made for.
pub fn place(program: &mut Program, all: &[Instance], terms: &Terms) {
    if all.is_empty() {
        return;
    }
    let variables = all.iter().map(|instance| {
        let mut variables = BTreeSet::new();
        program.expressions.for_each_variable(instance.condition, |variable| _ = variables.insert(variable));
        variables
    });
    let placing = Placing { all, variables: variables.collect(), terms };
    let body = std::mem::take(&mut program.body);
    let (mut known, mut placed) = (FxHashSet::default(), Vec::new());
    placing.place(&placing.about_start(), &mut known, &mut placed);
    placed.append(&mut placing.statements(program, body, &mut known));
    program.body = placed;
}

/// The conditions of the first access of a race, over the values when it hit.
fn at_hit(program: &Program, obligation: Obligation) -> impl Iterator<Item = Expression> {
    let site = match program.obligations[obligation].kind {
        ObligationKind::Race { logged, .. } => Some(logged),
        _ => None,
    };
    site.into_iter().flat_map(|site| program.sites[site].facts.iter().copied())
}

struct Placing<'a> {
    all: &'a [Instance],
    /// The variables in each instance.
    variables: Vec<BTreeSet<Variable>>,
    terms: &'a Terms,
}

impl Placing<'_> {
    /// The statements, each preceded by the instances made for the terms that it mentions.
    fn statements(
        &self,
        program: &mut Program,
        statements: Vec<Statement>,
        known: &mut FxHashSet<usize>,
    ) -> Vec<Statement> {
        let mut result = Vec::new();
        for statement in statements {
            match &statement {
                Statement::Assign { value: expression, .. }
                | Statement::Assume { condition: expression, .. }
                | Statement::Assert { condition: expression, .. } => {
                    let mut about = vec![*expression];
                    if let Statement::Assert { obligation, .. } = &statement {
                        about.extend(at_hit(program, *obligation));
                    }
                    self.place(&self.about(&about), known, &mut result);
                }
                Statement::Havoc { .. } => {}
                &Statement::Loop(loop_) => {
                    let guard = program.loops[loop_].guard;
                    let changed = program.changed_in(loop_);
                    let body = std::mem::take(&mut program.loops[loop_].body);
                    let about_guard = self.about(&[guard]);
                    self.place(&about_guard, known, &mut result);
                    self.forget(known, |variable| changed.contains(&variable));
                    let mut inside = known.clone();
                    let mut body = self.statements(program, body, &mut inside);
                    self.place(&about_guard, &mut inside, &mut body);
                    program.loops[loop_].body = body;
                }
            }
            if let Statement::Assign { variable, .. } | Statement::Havoc { variable, .. } = statement {
                self.forget(known, |other| other == variable);
            }
            result.push(statement);
        }
        result
    }

    /// The instances made for preconditions, or for no term at all.
    fn about_start(&self) -> Vec<usize> {
        let concerns = |instance: &Instance| {
            instance.made_for.is_empty() || instance.made_for.iter().any(|term| self.terms.at_start.contains(term))
        };
        (0..self.all.len()).filter(|&number| concerns(&self.all[number])).collect()
    }

    /// The instances made for terms that these expressions mention.
    fn about(&self, expressions: &[Expression]) -> Vec<usize> {
        let mentioned: BTreeSet<Expression> = expressions
            .iter()
            .filter_map(|expression| self.terms.mentioned.get(expression))
            .flatten()
            .copied()
            .collect();
        let concerns = |instance: &Instance| instance.made_for.iter().any(|term| mentioned.contains(term));
        (0..self.all.len()).filter(|&number| concerns(&self.all[number])).collect()
    }

    fn place(&self, instances: &[usize], known: &mut FxHashSet<usize>, statements: &mut Vec<Statement>) {
        for &number in instances {
            if known.insert(number) {
                let Instance { condition, reason, .. } = &self.all[number];
                statements.push(Statement::Assume {
                    condition: *condition,
                    reason: reason.clone(),
                    about: None,
                    location: None,
                });
            }
        }
    }

    /// Forgets the instances about variables that change: they hold for the old values.
    fn forget(&self, known: &mut FxHashSet<usize>, changes: impl Fn(Variable) -> bool) {
        known.retain(|&number| !self.variables[number].iter().any(|&variable| changes(variable)));
    }
}

fn for_each_expression(program: &Program, statements: &[Statement], visit: &mut dyn FnMut(Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign { value: expression, .. } | Statement::Assume { condition: expression, .. } => {
                visit(*expression);
            }
            Statement::Assert { condition, obligation, .. } => {
                visit(*condition);
                at_hit(program, *obligation).for_each(&mut *visit);
            }
            Statement::Havoc { .. } => {}
            Statement::Loop(loop_) => {
                let data = &program.loops[*loop_];
                visit(data.guard);
                for_each_expression(program, &data.body, visit);
            }
        }
    }
}
