//! `hit-facts`: the conditions that held when an access was recorded.
//!
//! For each site whose hit the loop changes, `hit → fact` for each of the site's facts. They state
//! that the access touches the watched cell, and that the conditions hold under which the site is
//! reached. The facts are over recorded values and values that cannot have changed since. So an
//! iteration either leaves them unchanged or, at the site, makes them true.
//!
//! Example: `A[4*i + tid]` under `i < n` gives `hit → watched = 4·i_hit + tid` and
//! `hit → i_hit < n`.
//!
//! Always useful: without these facts nothing is known about a hit after the loop's head.

use lockstep_ir::sequential::Loop;

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for site in context.changing_sites(loop_) {
        for &fact in &context.sites[site].facts {
            context.propose_of_hit(site, fact);
        }
    }
}
