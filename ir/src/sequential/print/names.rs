//! Names of expressions in a printed program: `let tid$1 = …;`.
//!
//! The arena has hints ([`Expressions::hint_name`]), which become definitions here. A definition is
//! printed before the first statement that uses it. It abbreviates the expression's value *at that
//! place*. So it goes out of scope where a variable in it is assigned, and at the end of the loop
//! body that contains it. It is printed again when it is next used. Each name stands for one
//! expression in the whole program, so a reader may simply substitute.
//!
//! Conjunctions and sums are flat, so a named expression is often only a part of one. `a && b && c`
//! is printed as `both && c` if `both` names `a && b`, and `2*x + 2*y + 1` as `2*i + 1` if `i`
//! names `x + y`. A part always has fewer terms than the whole (or a simpler constant), so
//! definitions are never circular.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::order::{Key, Order};
use crate::bits::Bits;
use crate::sequential::{Expression, Expressions, Node, Role, Variable};

/// The names that may be used at a place.
#[derive(Clone, Debug, Default)]
pub(super) enum Usable {
    /// No names.
    #[default]
    Nothing,
    /// All names but these; definitions are printed as needed.
    AllBut(FxHashSet<Expression>),
    /// The names that have been defined.
    Defined,
}

/// The names of a program's expressions.
#[derive(Debug, Default)]
pub(super) struct Names {
    hints: BTreeMap<Expression, String>,
    /// The named conjunctions and sums that an expression is a part of.
    wholes: FxHashMap<Expression, Vec<Expression>>,
    supports: FxHashMap<Expression, Box<[Variable]>>,
    given: FxHashMap<Expression, String>,
    taken: FxHashSet<String>,
    in_scope: FxHashSet<Expression>,
    pub(super) usable: Usable,
}

impl Names {
    /// The names that the arena hints at.
    pub(super) fn new(expressions: &Expressions) -> Self {
        let mut names = Self { hints: expressions.name_hints().clone(), ..Self::default() };
        names.taken = expressions.variables().values().map(|data| data.name.clone()).collect();
        // A variable does not need a second name with a number.
        let taken = &names.taken;
        names.hints.retain(|hinted, name| {
            !(matches!(expressions.node(*hinted), Node::Variable(_)) && taken.contains(name.as_str()))
        });
        let never_changes = |variable: &Variable| expressions.variables()[*variable].role == Role::Input;
        for &hinted in names.hints.keys() {
            let mut support = Vec::new();
            expressions.for_each_variable(hinted, |variable| support.push(variable));
            let is_group = match expressions.node(hinted) {
                Node::And(_) => true,
                // `2*s` would hide what changes in `lid + 2*s`.
                Node::Sum(constant, terms) => {
                    terms.len() > 1 || constant.is_zero() && support.iter().all(never_changes)
                }
                _ => false,
            };
            if is_group {
                expressions.for_each_operand(hinted, |part| names.wholes.entry(part).or_default().push(hinted));
            }
            names.supports.insert(hinted, support.into());
        }
        names
    }

    /// Whether an expression goes by a name.
    pub(super) fn is_named(&self, expression: Expression) -> bool {
        match &self.usable {
            Usable::Nothing => false,
            Usable::AllBut(blocked) => self.hints.contains_key(&expression) && !blocked.contains(&expression),
            Usable::Defined => self.given.contains_key(&expression),
        }
    }

    /// Whether an expression goes by a name that is defined here.
    pub(super) fn is_defined(&self, expression: Expression) -> bool {
        match self.usable {
            Usable::Nothing => false,
            Usable::AllBut(_) => self.is_named(expression) && self.in_scope.contains(&expression),
            Usable::Defined => self.is_named(expression),
        }
    }

    /// The name of an expression that was defined.
    pub(super) fn name(&self, expression: Expression) -> &str {
        &self.given[&expression]
    }

    /// Gives an expression its name and brings it into scope.
    pub(super) fn define(&mut self, expression: Expression) {
        self.in_scope.insert(expression);
        if self.given.contains_key(&expression) {
            return;
        }
        let hint = &self.hints[&expression];
        let (stem, suffix) = hint.split_at(hint.rfind('$').unwrap_or(hint.len()));
        let numbered = (2..).map(|number| format!("{stem}.{number}{suffix}"));
        let name = std::iter::once(hint.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = name.expect("numbers do not run out");
        self.taken.insert(name.clone());
        self.given.insert(expression, name);
    }

    /// Handles a change of the variable: names that mention it go out of scope.
    pub(super) fn change(&mut self, variable: Variable) {
        self.in_scope.retain(|expression| !self.supports[expression].contains(&variable));
    }

    /// The names that mention one of these variables.
    pub(super) fn mentioning(&self, variables: &BTreeSet<Variable>) -> FxHashSet<Expression> {
        let mentions =
            |expression: &&Expression| self.supports[*expression].iter().any(|variable| variables.contains(variable));
        self.hints.keys().filter(mentions).copied().collect()
    }

    /// The names in scope, to be restored by [`Self::leave_to`].
    pub(super) fn scope(&self) -> FxHashSet<Expression> {
        self.in_scope.clone()
    }

    /// Leaves a block; `scope` was in scope before it.
    pub(super) fn leave_to(&mut self, scope: FxHashSet<Expression>) {
        self.in_scope = scope;
    }

    fn wholes_of(&self, part: Expression) -> impl Iterator<Item = Expression> + '_ {
        self.wholes.get(&part).into_iter().flatten().copied().filter(|&whole| self.is_named(whole))
    }
}

/// The presentation of expressions: their order, and their names.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) order: &'a Order<'a>,
    pub(super) names: &'a Names,
}

impl View<'_> {
    pub(super) fn expressions(&self) -> &Expressions {
        self.order.expressions
    }

    /// The operands in the order in which they are printed; parts that share a name count as one.
    pub(super) fn operands(&self, expression: Expression) -> Vec<Expression> {
        let mut operands = match self.expressions().node(expression) {
            Node::And(parts) => self.conjuncts(parts),
            Node::Sum(..) => self.summands(expression).1.into_iter().map(|(_, term)| term).collect(),
            _ => return self.order.operands(expression),
        };
        operands.sort_by_key(|&operand| self.order.key(operand));
        operands
    }

    fn conjuncts(&self, parts: &[Expression]) -> Vec<Expression> {
        let mut rest: BTreeSet<Expression> = parts.iter().copied().collect();
        let members = |whole: Expression| match self.expressions().node(whole) {
            Node::And(members) => &members[..],
            _ => &[],
        };
        let mut wholes: Vec<Expression> = parts.iter().flat_map(|&part| self.names.wholes_of(part)).collect();
        wholes.retain(|&whole| (1..parts.len()).contains(&members(whole).len()));
        wholes.sort_by_key(|&whole| (std::cmp::Reverse(members(whole).len()), self.order.key(whole)));
        wholes.dedup();
        let mut shown = Vec::new();
        for whole in wholes {
            if members(whole).iter().all(|member| rest.contains(member)) {
                rest.retain(|part| !members(whole).contains(part));
                shown.push(whole);
            }
        }
        shown.extend(rest);
        shown
    }

    /// A sum's constant and its terms with their coefficients.
    pub(super) fn summands(&self, sum: Expression) -> (Bits, Vec<(Bits, Expression)>) {
        let Node::Sum(constant, terms) = self.expressions().node(sum) else {
            panic!("a sum expected");
        };
        let (mut constant, mut terms) = (constant.clone(), terms.to_vec());
        let mut shown = Vec::new();
        let mut wholes: Vec<Expression> = terms.iter().flat_map(|(_, term)| self.names.wholes_of(*term)).collect();
        wholes.retain(|&whole| self.sum_rank(whole) < self.sum_rank(sum));
        wholes.sort_unstable();
        wholes.dedup();
        loop {
            let fits = wholes.iter().filter_map(|&whole| {
                let coefficient = self.coefficient(whole, &terms)?;
                let Node::Sum(own, members) = self.expressions().node(whole) else { return None };
                let rest = constant.sub(&coefficient.mul(own));
                let worth = (std::cmp::Reverse(members.len()), !rest.is_zero(), !coefficient.is_one());
                Some(((worth, self.order.key(whole)), whole, coefficient, rest))
            });
            let Some((_, whole, coefficient, rest)) = fits.min_by_key(|(worth, ..)| *worth) else { break };
            constant = rest;
            self.expressions().for_each_operand(whole, |member| terms.retain(|(_, term)| *term != member));
            shown.push((coefficient, whole));
        }
        shown.extend(terms);
        (constant, shown)
    }

    fn sum_rank(&self, sum: Expression) -> (usize, bool, Key) {
        match self.expressions().node(sum) {
            Node::Sum(constant, terms) => (terms.len(), !constant.is_zero(), self.order.key(sum)),
            _ => (0, false, self.order.key(sum)),
        }
    }

    /// The factor with which all terms of a sum occur among these.
    fn coefficient(&self, whole: Expression, terms: &[(Bits, Expression)]) -> Option<Bits> {
        let Node::Sum(_, members) = self.expressions().node(whole) else { return None };
        let found = |member: Expression| terms.iter().find(|(_, term)| *term == member).map(|(factor, _)| factor);
        let coefficient = match members.iter().find(|(factor, _)| factor.is_one()) {
            Some((_, unit)) => found(*unit)?.clone(),
            None => Bits::one(members[0].0.width()),
        };
        let fits = members.iter().all(|(factor, member)| found(*member) == Some(&coefficient.mul(factor)));
        fits.then_some(coefficient)
    }
}
