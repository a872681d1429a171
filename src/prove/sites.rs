//! Of which accesses an expression speaks.
//!
//! What is claimed about one access mostly follows from what is known of that access. A question that leaves out what is known of
//! others is many times easier than one about all; leaving out facts is sound for a proof.

use std::collections::BTreeSet;
use std::rc::Rc;

use lockstep_ir::sequential::{Expression, Expressions, Role, Site};
use rustc_hash::FxHashMap;

/// The sites of whose hits expressions of one arena speak.
#[derive(Debug, Default)]
pub struct Sites {
    known: FxHashMap<Expression, Rc<BTreeSet<Site>>>,
}

impl Sites {
    /// The sites of whose hits an expression speaks.
    pub fn of(&mut self, e: &Expressions, expression: Expression) -> Rc<BTreeSet<Site>> {
        if let Some(known) = self.known.get(&expression) {
            return Rc::clone(known);
        }
        let mut sites = BTreeSet::new();
        e.for_each_variable(expression, |variable| {
            if let Role::Hit(site) | Role::Written(site) | Role::Recorded(site) = e.variables()[variable].role {
                sites.insert(site);
            }
        });
        let sites = Rc::new(sites);
        self.known.insert(expression, Rc::clone(&sites));
        sites
    }
}
