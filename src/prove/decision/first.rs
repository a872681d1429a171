//! The first stages of a proof by induction: with few candidates, which mostly are enough.
//!
//! What is claimed of one access is mostly shown by what is known of that access alone, and of most accesses little has to be
//! known. So candidates are admitted in steps ([`Step`]): at first those that say nothing of what is recorded of accesses, but that
//! none is pending where threads have met; that settles all pairs of accesses that barriers keep apart. Then, for the
//! accesses of which something is still to be shown, what speaks of nothing that changes but the records: where the
//! access was. How far threads have come since comes last, and last of all what is hard for a solver.
//!
//! A proof with fewer candidates is one with all of them. What is proved in a step is assumed in those that follow.

use lockstep_invariants::Candidate;
use lockstep_invariants::families::NO_ACCESS;
use lockstep_ir::sequential::{Expression, Expressions, Program, Role};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Effort, Session};

use super::{Decision, Outcome, PROOF_SHARE};
use crate::discharge::{Status, discharge, needed_sites, undecided};
use crate::encode::Encoding;
use crate::sites::Sites;

/// What a step may use for inference, and for finding out what follows from what it leaves.
const INFERENCE: Effort = 30_000_000;
const SCREENING: Effort = 20_000_000;

/// What the assertions may use when all is there that is not dear.
const PROOF: Effort = 2_000_000;

/// A step that leaves out fewer candidates than these does not pay.
const FEW: usize = 10;

/// When this has been spent, a look for defects costs little in comparison.
const LONG: Effort = 2_000_000;

/// What the first stages say of a program.
pub enum First {
    /// That it is proved.
    Proved,
    /// This.
    Decided(Outcome),
    /// Nothing yet.
    Open,
}

/// What came of the first stages.
pub struct FirstStages {
    /// The candidates that may be tried: no execution falsifies them, and something is to be shown of what they are about.
    pub admitted: Vec<bool>,
    /// The candidates that were proved.
    pub settled: Vec<bool>,
    /// What came of the assertions.
    pub statuses: Vec<Status>,
}

impl FirstStages {
    /// Nothing is proved, and what is `admitted` may be tried.
    pub fn new(encoding: &Encoding, candidates: &[Candidate], admitted: Vec<bool>) -> Self {
        Self { admitted, settled: vec![false; candidates.len()], statuses: undecided(encoding) }
    }

    /// Whether some of the candidates that may be tried are dear.
    pub fn are_dear(&self, program: &Program, candidates: &[Candidate]) -> bool {
        let mut all = candidates.iter().zip(&self.admitted);
        all.any(|(candidate, &admitted)| admitted && candidate.is_dear(&program.expressions))
    }

    fn have_proved(&self) -> bool {
        self.statuses.iter().all(|&status| status == Status::Proved)
    }

    /// The candidates that may be tried and that some test admits.
    fn those(&self, candidates: &[Candidate], mut test: impl FnMut(&Candidate) -> bool) -> Vec<bool> {
        self.admitted.iter().zip(candidates).map(|(&admitted, candidate)| admitted && test(candidate)).collect()
    }
}

/// Which candidates are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Those that say nothing of hits, but that there is none.
    WithoutHits,
    /// Also those that speak of hits, and of nothing else that changes.
    Records,
    /// All that are not dear.
    Cheap,
}

impl Step {
    const ALL: [Self; 3] = [Self::WithoutHits, Self::Records, Self::Cheap];

    fn admits(self, e: &Expressions, sites: &mut Sites, candidate: &Candidate) -> bool {
        let condition = candidate.condition;
        let mut of_hits = || candidate.family != NO_ACCESS && !sites.of(e, condition).is_empty();
        !candidate.is_dear(e)
            && match self {
                Self::WithoutHits => !of_hits(),
                Self::Records => !of_hits() || speaks_of_records(e, condition),
                Self::Cheap => true,
            }
    }
}

/// Whether no variable of an expression changes, but those that are recorded with hits.
fn speaks_of_records(e: &Expressions, expression: Expression) -> bool {
    let mut all = true;
    e.for_each_variable(expression, |variable| {
        all &= match e.variables()[variable].role {
            Role::Input | Role::Watched | Role::Hit(_) | Role::Written(_) | Role::Recorded(_) => true,
            Role::Value | Role::Predicate | Role::Counter(_) | Role::ExitCounter(_) | Role::Contents | Role::Choice => {
                false
            }
        };
    });
    all
}

fn count(which: &[bool]) -> usize {
    which.iter().filter(|&&one| one).count()
}

impl Decision<'_> {
    /// Tries to do with few candidates.
    pub(super) fn first_stages(
        &mut self,
        session: &mut Session,
        encoding: &mut Encoding,
        candidates: &[Candidate],
        stages: &mut FirstStages,
    ) -> First {
        let mut sites = Sites::default();
        // What was lost with few candidates may hold with more; it has to wait until all are there.
        let mut lost = vec![false; candidates.len()];
        for step in Step::ALL {
            let e = &self.program.expressions;
            let mut some = stages.those(candidates, |candidate| step.admits(e, &mut sites, candidate));
            if step == Step::Records {
                some.iter_mut().zip(&lost).for_each(|(one, &lost)| *one &= !lost);
            }
            let (technique, left_out) = match step {
                Step::WithoutHits | Step::Records => (Technique::NeededSites, FEW),
                Step::Cheap => (Technique::StagedInference, 1),
            };
            // Each step has its price.
            if count(&some) + left_out > count(&stages.admitted) || !self.options.techniques.has(technique) {
                continue;
            }
            let tried = some.clone();
            if !self.infer_first(session, encoding, candidates, some, stages) {
                continue;
            }
            lost = tried.iter().zip(&stages.settled).map(|(&tried, &settled)| tried && !settled).collect();
            let end = session.spent() + if step == Step::Cheap { PROOF } else { SCREENING };
            session.set_allowance(end.min(self.share(PROOF_SHARE)));
            let open = std::mem::take(&mut stages.statuses);
            if step == Step::Cheap {
                stages.statuses = discharge(encoding, &stages.settled, open, session, PROOF / 4, 1).statuses;
            } else {
                let needed;
                (needed, stages.statuses) = needed_sites(encoding, &stages.settled, open, session);
                let e = &self.program.expressions;
                let needed = stages.those(candidates, |candidate| sites.of(e, candidate.condition).is_subset(&needed));
                stages.admitted = needed.iter().zip(&stages.settled).map(|(&one, &settled)| one || settled).collect();
            }
            session.set_allowance(self.share(1.0));
            if stages.have_proved() {
                return First::Proved;
            }
            // What is open now may be a defect, and what comes may take long, too.
            if session.spent() > LONG
                && let Some(outcome) = self.look_systematically(session)
            {
                return First::Decided(outcome);
            }
        }
        First::Open
    }

    /// Settles those of some candidates that hold by induction, unless that takes long.
    fn infer_first(
        &mut self,
        session: &mut Session,
        encoding: &mut Encoding,
        candidates: &[Candidate],
        live: Vec<bool>,
        stages: &mut FirstStages,
    ) -> bool {
        let lost = self.lost.len();
        let kept = self.infer(session, encoding, candidates, live, &stages.settled, INFERENCE);
        // What is lost here is tried again.
        self.lost.truncate(lost);
        if kept.finished {
            stages.settled = kept.live;
        }
        kept.finished
    }
}
