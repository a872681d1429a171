//! Applications of functions and elements of maps, as constants.
//!
//! Z3's fast procedure for bit-vectors supports neither functions nor arrays. So each application
//! `f(a)`, and each element `m[i]` of a map that is a variable, is a constant of its own. A query
//! that mentions two of them states that equal arguments give equal results (Ackermann's
//! reduction). Elements of changed maps are unfolded first: `(m with v at i)[j]` is `v` if `i = j`,
//! otherwise `m[j]`. Satisfiability stays the same. Where there are too many pairs, or where maps
//! are compared as wholes, the constants are instead equated with the applications that they stand
//! for.

use std::collections::BTreeSet;

use ::z3::ast::{Ast, Bool, Dynamic};
use lockstep_ir::sequential::{Expression, Function};
use rustc_hash::FxHashMap;

/// The function or map that is applied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Applied {
    /// A function.
    Function(Function),
    /// A map variable, given by its expression.
    Map(Expression),
}

/// An application.
struct Application {
    applied: Applied,
    arguments: Vec<Dynamic>,
    /// The constant.
    value: Dynamic,
    /// The native term that the constant stands for.
    native: Dynamic,
}

/// All applications of a session.
#[derive(Default)]
pub struct Applications {
    all: Vec<Application>,
    known: FxHashMap<(Applied, Vec<Expression>), usize>,
    /// The applications that an expression is, or unfolds to.
    of: FxHashMap<Expression, Vec<usize>>,
    /// The elements of changed maps: their unfolding, and the applications in it.
    unfolded: FxHashMap<(Expression, Expression), (Dynamic, Vec<usize>)>,
}

/// The most pairs in one query before the solver's own theories are used.
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

    /// The unfolding of a changed map's element at an index, as part of `user`, if it is known
    /// already.
    pub fn unfolded(&mut self, user: Expression, map: Expression, index: Expression) -> Option<Dynamic> {
        let (element, applications) = self.unfolded.get(&(map, index))?;
        self.of.entry(user).or_default().extend(applications);
        Some(element.clone())
    }

    /// Records the unfolding of a changed map's element, which uses the elements of these maps.
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

    /// The number of pairs among some applications that share their function or map.
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

    /// The constraints on some applications.
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

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
