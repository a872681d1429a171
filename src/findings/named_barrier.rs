//! `LS0117`, a **named barrier or mbarrier that is used wrongly**.
//!
//! A named barrier of CUDA (`bar.sync`, `bar.arrive`, `barrier` in PTX) is for a number of threads,
//! and completes when so many have come, whole warps at a time. All of them must name the same
//! number of threads, as many as take part. They must come equally often, and must not come again
//! before the barrier is complete. Here a thread waits for ever, expects another number of threads,
//! or arrives where nobody waits.
//!
//! An mbarrier is an object in shared memory that counts arrivals. It must be initialised, for as
//! many arrivals as each phase gets, before it is used. A thread waits for a token or a parity; one
//! that waits for the wrong parity may go on at once, or wait for ever.
//!
//! Count the warps that execute each `sync` and `arrive` with the barrier's number, also in the
//! rounds before a loop and behind it. If two barriers are waited for in different orders, each may
//! wait for the other.

use lockstep_ir::sequential::BarrierRule;
use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0117";
/// The name of the kind.
pub const KIND: &str = "named-barrier";

/// The finding at an operation that breaks a rule.
pub(super) fn finding(run: &Run<'_>, rule: BarrierRule) -> Finding {
    let act = match rule {
        BarrierRule::Number | BarrierRule::Count | BarrierRule::Participants => Act::CountsOthers,
        BarrierRule::Recycled => Act::ComesTooEarly,
        BarrierRule::Awaited => Act::ArrivesUnawaited,
        BarrierRule::Initialised => Act::UsesUninitialised,
        BarrierRule::EquallyOften | BarrierRule::Order | BarrierRule::Progress | BarrierRule::Parity => {
            Act::WaitsForEver
        }
    };
    run.finding_at_obligation(CODE, KIND, &[0], act)
}
