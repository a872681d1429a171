//! The accesses that an expression mentions.
//!
//! A claim about one access usually follows from the facts about that access. A question without
//! the facts about other accesses is many times easier than one about all, and leaving out facts is
//! sound for a proof.

use std::collections::BTreeSet;
use std::rc::Rc;

use lockstep_ir::sequential::{Expression, Expressions, Node, Role, Site};
use rustc_hash::FxHashMap;

/// The sites whose hits are mentioned by the expressions of one arena.
///
/// Shared subexpressions are visited once: in unrolled loops, almost everything is shared.
#[derive(Debug, Default)]
pub struct Sites {
    known: FxHashMap<Expression, Rc<BTreeSet<Site>>>,
    none: Rc<BTreeSet<Site>>,
}

impl Sites {
    /// The sites whose hits an expression mentions.
    pub fn of(&mut self, e: &Expressions, expression: Expression) -> Rc<BTreeSet<Site>> {
        for part in e.operands_first(expression, |part| self.known.contains_key(&part)) {
            let sites = self.of_operands(e, part);
            self.known.insert(part, sites);
        }
        Rc::clone(&self.known[&expression])
    }

    /// The sites of an expression, given those of its operands.
    fn of_operands(&self, e: &Expressions, expression: Expression) -> Rc<BTreeSet<Site>> {
        if let &Node::Variable(variable) = e.node(expression) {
            return match e.variables()[variable].role {
                Role::Hit(site) | Role::Written(site) | Role::Recorded(site) => Rc::new(BTreeSet::from([site])),
                Role::Input
                | Role::Watched
                | Role::Value
                | Role::Predicate
                | Role::Ghost
                | Role::Counter(_)
                | Role::ExitCounter(_)
                | Role::Contents
                | Role::Choice => Rc::clone(&self.none),
            };
        }
        let mut all = Rc::clone(&self.none);
        e.for_each_operand(expression, |operand| {
            let more = &self.known[&operand];
            if all.is_empty() {
                all = Rc::clone(more);
            } else if !more.is_subset(&all) {
                Rc::make_mut(&mut all).extend(more.iter());
            }
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{Sort, Variable};

    use super::*;

    #[test]
    fn an_expression_speaks_of_what_its_parts_speak_of() {
        let mut e = Expressions::new();
        let mut boolean = |name: &str, role| -> Variable { e.add_variable(name, Sort::Boolean, None, role) };
        let [first, second] = [0, 1].map(Site::from_u32);
        let hits = [boolean("first", Role::Hit(first)), boolean("second", Role::Hit(second))];
        let (other, recorded) = (boolean("other", Role::Value), boolean("recorded", Role::Recorded(first)));
        let [one, two, other, recorded] = [hits[0], hits[1], other, recorded].map(|variable| e.variable(variable));
        let (both, same) = (e.and([one, two, other]), e.implies(one, recorded));
        let mut sites = Sites::default();
        assert_eq!(*sites.of(&e, both), BTreeSet::from([first, second]));
        assert_eq!(*sites.of(&e, same), BTreeSet::from([first]));
        assert_eq!(*sites.of(&e, other), BTreeSet::new());
        // Parts are shared, but this does not change the sets of the wholes.
        let whole = e.or([same, two]);
        assert_eq!(*sites.of(&e, whole), BTreeSet::from([first, second]));
        assert_eq!(*sites.of(&e, same), BTreeSet::from([first]));
    }
}
