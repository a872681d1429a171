//! Applications of functions and elements of maps, as constants.
//!
//! Z3's fast procedure for bit-vectors knows neither functions nor arrays. So each application
//! `f(a)`, and each element `m[i]` of a map that is a variable, is a constant of its own, and a
//! question that mentions two of them says that equal arguments give equal results (Ackermann's
//! reduction). Elements of changed maps are unfolded first: `(m with v at i)[j]` is `v` if `i = j`
//! and else `m[j]`. Satisfiability stays the same. Where there are so many that the pairs would be
//! a burden, or where maps are compared as wholes, the constants are said to be what they stand
//! for.

use std::collections::BTreeSet;

use ::z3::ast::{Ast, Bool, Dynamic};
use lockstep_ir::sequential::{Expression, Function};
use rustc_hash::FxHashMap;

/// What is applied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Applied {
    /// A function.
    Function(Function),
    /// A map variable, by its expression.
    Map(Expression),
}

/// An application.
struct Application {
    applied: Applied,
    arguments: Vec<Dynamic>,
    /// The constant.
    value: Dynamic,
    /// What it stands for.
    native: Dynamic,
}

/// All applications of a session.
#[derive(Default)]
pub struct Applications {
    all: Vec<Application>,
    known: FxHashMap<(Applied, Vec<Expression>), usize>,
    /// The applications that an expression is or unfolds to.
    of: FxHashMap<Expression, Vec<usize>>,
    /// The elements of changed maps: what they unfold to, and the applications in it.
    unfolded: FxHashMap<(Expression, Expression), (Dynamic, Vec<usize>)>,
}

/// Pairs of one question beyond which the solver's own theories are used.
const MOST_PAIRS: usize = 600;

impl Applications {
    /// The constant for an application, as part of `user`.
    pub fn constant(
        &mut self,
        user: Expression,
        applied: Applied,
        arguments: &[(Expression, Dynamic)],
        native: Dynamic,
    ) -> Dynamic {
        let key = (applied, arguments.iter().map(|(expression, _)| *expression).collect::<Vec<_>>());
        let number = *self.known.entry(key).or_insert_with(|| {
            let value = Dynamic::new_const(format!("!{}", self.all.len()), &native.get_sort());
            let arguments = arguments.iter().map(|(_, argument)| argument.clone()).collect();
            self.all.push(Application { applied, arguments, value, native });
            self.all.len() - 1
        });
        self.of.entry(user).or_default().push(number);
        self.all[number].value.clone()
    }

    /// What the element of a changed map at an index unfolds to, as part of `user`, if that has
    /// been found out.
    pub fn unfolded(&mut self, user: Expression, map: Expression, index: Expression) -> Option<Dynamic> {
        let (element, applications) = self.unfolded.get(&(map, index))?;
        self.of.entry(user).or_default().extend(applications);
        Some(element.clone())
    }

    /// Remembers what an element of a changed map unfolds to, by way of those of these maps.
    pub fn remember(
        &mut self,
        map: Expression,
        index: Expression,
        through: &[Expression],
        element: Dynamic,
    ) -> Dynamic {
        let mut applications = BTreeSet::new();
        for &inner in through {
            match self.unfolded.get(&(inner, index)) {
                Some((_, inside)) => applications.extend(inside.iter().copied()),
                None => applications.extend(self.known.get(&(Applied::Map(inner), vec![index])).copied()),
            }
        }
        self.unfolded.insert((map, index), (element.clone(), applications.into_iter().collect()));
        element
    }

    /// The applications that an expression itself unfolds to.
    pub fn of(&self, expression: Expression) -> &[usize] {
        self.of.get(&expression).map_or(&[], Vec::as_slice)
    }

    /// How many pairs of some applications are of the same function or map.
    pub fn pairs(&self, mentioned: &BTreeSet<usize>) -> usize {
        let mut counts: FxHashMap<Applied, usize> = FxHashMap::default();
        let mut pairs = 0;
        for &number in mentioned {
            let before = counts.entry(self.all[number].applied).or_default();
            pairs += *before;
            *before += 1;
        }
        pairs
    }

    /// What has to be said about some applications.
    pub fn constraints(&self, mentioned: &BTreeSet<usize>, native: bool) -> Vec<Bool> {
        let mut by_applied: FxHashMap<Applied, Vec<&Application>> = FxHashMap::default();
        let mut order = Vec::new();
        for &number in mentioned {
            let application = &self.all[number];
            let entry = by_applied.entry(application.applied).or_insert_with(|| {
                order.push(application.applied);
                Vec::new()
            });
            entry.push(application);
        }
        let pairs: usize = order.iter().map(|applied| by_applied[applied].len().pow(2) / 2).sum();
        let mut constraints = Vec::new();
        if native || pairs > MOST_PAIRS {
            return mentioned.iter().map(|&number| self.all[number].value.eq(&self.all[number].native)).collect();
        }
        for applied in order {
            let group = &by_applied[&applied];
            for (index, first) in group.iter().enumerate() {
                for second in &group[index + 1..] {
                    let pairs = first.arguments.iter().zip(&second.arguments);
                    let equal: Vec<Bool> = pairs.map(|(a, b)| a.eq(b)).collect();
                    constraints.push(Bool::and(&equal).implies(first.value.eq(&second.value)));
                }
            }
        }
        constraints
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
