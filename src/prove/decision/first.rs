//! The first stages of a proof by induction, with few candidates, which are usually enough.
//!
//! The claims about one access usually follow from the facts about that access alone, and most
//! accesses need few facts. So candidates are admitted in steps ([`Step`]). The first step admits
//! candidates that say nothing about the recorded values of accesses, but only that no access is
//! pending at a barrier. These settle all pairs of accesses that barriers separate. The second
//! step, for accesses with open claims, adds candidates over variables of which only the records
//! change: the place of the access. Candidates about the progress of threads come after that, and
//! expensive ones for a solver come last.
//!
//! A proof with fewer candidates is also a proof with all of them. Candidates proved in one step
//! are assumed in later steps.

use std::collections::BTreeSet;

use lockstep_invariants::Candidate;
use lockstep_invariants::families::NO_ACCESS;
use lockstep_ir::sequential::{Expression, Expressions, ObligationKind, Program, Role, Site};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Effort, Session};

use super::{Decision, Outcome, PROOF_SHARE};
use crate::discharge::{Status, discharge, needed_sites, undecided};
use crate::encode::sites::Sites;
use crate::encode::{Encoding, Goal, Subject};

/// The budget of a step for inference, and for finding the claims that follow from the result.
const INFERENCE: Effort = 30_000_000;
const SCREENING: Effort = 20_000_000;

/// The budget for the assertions once all inexpensive candidates are admitted.
const PROOF: Effort = 2_000_000;

/// The fewest candidates that a step must leave out to pay off.
const FEW: usize = 10;

/// The effort after which a search for defects is cheap in comparison.
const LONG: Effort = 2_000_000;

/// The result of the first stages for a program.
pub enum First {
    /// The program is proved.
    Proved,
    /// The program is decided with this outcome.
    Decided(Outcome),
    /// The program is still open.
    Open,
}

/// The state of the candidates and assertions after the first stages.
pub struct FirstStages {
    /// The candidates that may be tried.
    ///
    /// No execution falsifies them, and they concern an open claim.
    pub admitted: Vec<bool>,
    /// The candidates that were proved.
    pub settled: Vec<bool>,
    /// The statuses of the assertions.
    pub statuses: Vec<Status>,
}

impl FirstStages {
    /// The initial state: nothing is proved, and the `admitted` candidates may be tried.
    pub fn new(encoding: &Encoding, candidates: &[Candidate], admitted: Vec<bool>) -> Self {
        Self { admitted, settled: vec![false; candidates.len()], statuses: undecided(encoding) }
    }

    /// Whether some of the candidates that may be tried are expensive.
    pub fn are_dear(&self, program: &Program, candidates: &[Candidate]) -> bool {
        let mut all = candidates.iter().zip(&self.admitted);
        all.any(|(candidate, &admitted)| admitted && candidate.is_dear(&program.expressions))
    }

    fn have_proved(&self) -> bool {
        self.statuses.iter().all(|&status| status == Status::Proved)
    }

    /// The candidates that may be tried and that pass a test.
    fn those(&self, candidates: &[Candidate], mut test: impl FnMut(&Candidate) -> bool) -> Vec<bool> {
        self.admitted.iter().zip(candidates).map(|(&admitted, candidate)| admitted && test(candidate)).collect()
    }
}

/// The candidates that a step admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Candidates that say nothing about hits, except that there is none.
    WithoutHits,
    /// Also candidates over hits and over nothing else that changes.
    Records,
    /// All inexpensive candidates.
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

/// Whether the variables of an expression that change are all recorded with hits.
fn speaks_of_records(e: &Expressions, expression: Expression) -> bool {
    let mut all = true;
    e.for_each_variable(expression, |variable| {
        all &= match e.variables()[variable].role {
            Role::Input | Role::Watched | Role::Hit(_) | Role::Written(_) | Role::Recorded(_) => true,
            Role::Value
            | Role::Predicate
            | Role::Ghost
            | Role::Counter(_)
            | Role::ExitCounter(_)
            | Role::Contents
            | Role::Choice => false,
        };
    });
    all
}

fn count(which: &[bool]) -> usize {
    which.iter().filter(|&&one| one).count()
}

impl Decision<'_> {
    /// Attempts a proof with few candidates.
    pub(super) fn first_stages(
        &mut self,
        session: &mut Session,
        encoding: &mut Encoding,
        candidates: &[Candidate],
        stages: &mut FirstStages,
    ) -> First {
        let mut sites = Sites::default();
        // A candidate that was lost with few others may hold with more; it must wait until all are
        // admitted.
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
            // Each step has a cost.
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
                let mut needed;
                (needed, stages.statuses) = needed_sites(encoding, &stages.settled, open, session);
                needed.extend(self.logged_sites(encoding, &stages.statuses));
                let e = &self.program.expressions;
                let needed = stages.those(candidates, |candidate| sites.of(e, candidate.condition).is_subset(&needed));
                stages.admitted = needed.iter().zip(&stages.settled).map(|(&one, &settled)| one || settled).collect();
            }
            session.set_allowance(self.share(1.0));
            if stages.have_proved() {
                return First::Proved;
            }
            // An open claim may be a defect, and the next step may take long, too.
            if session.spent() > LONG
                && let Some(outcome) = self.look_systematically(session)
            {
                return First::Decided(outcome);
            }
        }
        First::Open
    }

    /// The sites of thread 1's accesses in the races that are not excluded yet. The assertion about
    /// a race that is none if thread 2 goes on to release its access does not mention the site.
    fn logged_sites(&self, encoding: &Encoding, statuses: &[Status]) -> BTreeSet<Site> {
        let open = encoding.goals.iter().zip(statuses).filter(|&(_, &status)| status != Status::Proved);
        let logged = |goal: &Goal| match goal.subject {
            Subject::Obligation(obligation) => match self.program.obligations[obligation].kind {
                ObligationKind::Race { logged, .. } => Some(logged),
                _ => None,
            },
            Subject::Invariant(..) => None,
        };
        open.filter_map(|(goal, _)| logged(goal)).collect()
    }

    /// Settles the given candidates that hold by induction, unless that takes long.
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
        // Candidates that are lost here are tried again.
        self.lost.truncate(lost);
        if kept.finished {
            stages.settled = kept.live;
        }
        kept.finished
    }
}
