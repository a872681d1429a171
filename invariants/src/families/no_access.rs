//! `no-access`: no access is pending at the head of a loop with a barrier.
//!
//! `¬hit` for each site whose hit the loop changes, if its body executes a group barrier. Also
//! `E → ¬hit`, where `E` is the activity before the loop. A thread that has left the enclosing loop
//! does not enter this one. It passes neither the barrier before this loop nor the one in it, and
//! may have any access pending.
//!
//! Example: `for (…) { tile[lid] = …; barrier(); sum += tile[…]; barrier(); }`: whatever an
//! iteration accesses, its last barrier has ordered.
//!
//! Useful for tiled kernels: iterations need not be compared with each other at all.

use lockstep_ir::sequential::Loop;

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    if !context.loops[loop_].has_barrier {
        return;
    }
    for site in context.changing_sites(loop_) {
        let hit = context.expressions.variable(context.sites[site].hit);
        let none = context.expressions.not(hit);
        context.propose(none);
        for thread in 0..2 {
            let Some(entered) = context.scan.loops[loop_].entered[thread] else { continue };
            if context.scan.is_invariant(context.expressions, loop_, entered) {
                let guarded = context.expressions.implies(entered, none);
                context.propose(guarded);
            }
        }
    }
}
