//! Discharges goals: asks Z3 for a state in which one fails.
//!
//! Goals that simplification proves by itself need no question. The others with no assumption
//! between them are asked about together: "one of them fails". Only if one can fail, or if this
//! takes too long, are they separated. A question contains the facts that share symbols with the
//! goals, directly or through other facts. At first, it contains only those that mention no other
//! access than the goals do: leaving out facts is sound for a proof. An answer "it can fail" counts
//! only with all facts.

mod bit_counts;
pub mod decide;
mod dividends;
mod equations;
mod lighten;
mod opaque;
mod propagate;
mod relevance;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cranelift_entity::EntityRef;
use lockstep_ir::sequential::{Expression, Site};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Session};

use crate::discharge::decide::{Decider, Thoroughness, contradict_at_once};
use crate::discharge::relevance::Relevance;
use crate::encode::sites::Sites;
use crate::encode::{Encoding, Position, Source};

/// The status of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The goal holds.
    Proved,
    /// The facts do not imply the goal.
    Failed,
    /// The effort was spent.
    Open,
}

/// The maximum number of goals asked about together.
const TOGETHER: usize = 48;

/// The budget of a question with only the facts about a goal's own sites.
const OWN_EFFORT: Effort = 2_000_000;

/// The budget of a question about several sites together.
const TOGETHER_EFFORT: Effort = 400_000;

/// The budget of a brief question.
const BRIEF: Effort = 150_000;

/// The results for an encoding's goals.
#[derive(Debug)]
pub struct Discharged {
    /// The status of each goal.
    pub statuses: Vec<Status>,
    /// Models in which a goal fails.
    pub models: Vec<Model>,
}

/// The initial statuses of an encoding's goals: all open.
pub fn undecided(encoding: &Encoding) -> Vec<Status> {
    vec![Status::Open; encoding.goals.len()]
}

/// Decides each goal of an encoding that is not yet proved, given the live candidates.
pub fn discharge(
    encoding: &mut Encoding,
    live: &[bool],
    known: Vec<Status>,
    session: &mut Session,
    limit: Effort,
    most_failures: usize,
) -> Discharged {
    let mut discharge = Discharge::new(encoding, live, known, session, limit, most_failures);
    for group in discharge.groups(TOGETHER) {
        let group = discharge.without_obvious(group);
        let parts = discharge.by_sites(group);
        let mut all = parts.concat();
        all.sort_unstable();
        if parts.len() > 1 && discharge.hold_together(&all, TOGETHER_EFFORT) {
            continue;
        }
        for part in parts {
            discharge.group(&part);
        }
    }
    Discharged { statuses: discharge.statuses, models: discharge.models }
}

/// The sites with an open claim after brief questions, and the statuses of the goals.
///
/// Each brief question asks whether the live candidates imply all of a site's goals at one
/// position.
pub fn needed_sites(
    encoding: &mut Encoding,
    live: &[bool],
    known: Vec<Status>,
    session: &mut Session,
) -> (BTreeSet<Site>, Vec<Status>) {
    let mut discharge = Discharge::new(encoding, live, known, session, BRIEF, 0);
    let mut needed = BTreeSet::new();
    for group in discharge.groups(usize::MAX) {
        for part in discharge.by_sites(group) {
            let sites = discharge.sites_of(&part);
            // If a site is needed anyway, its goals are proved later.
            let later = !sites.is_empty() && sites.is_subset(&needed);
            if !later && !discharge.hold_together(&part, BRIEF) {
                needed.extend(sites);
            }
        }
    }
    // Goals that were not reached when the effort was spent are open, too.
    let open: Vec<usize> =
        (0..discharge.statuses.len()).filter(|&goal| discharge.statuses[goal] != Status::Proved).collect();
    (discharge.sites_of(&open), discharge.statuses)
}

/// The usable facts up to a position, the earliest first.
pub fn usable_facts(encoding: &Encoding, position: Position, live: &[bool]) -> Vec<Expression> {
    let facts = encoding.facts_before(position).filter(|(_, fact)| is_usable(fact.source, live));
    let mut facts: Vec<_> = facts.map(|(_, fact)| fact.condition).collect();
    facts.reverse();
    facts
}

/// Whether a fact from this source may be used, given the live candidates.
fn is_usable(source: Source, live: &[bool]) -> bool {
    match source {
        Source::Candidate(candidate) => live[candidate.index()],
        Source::Precondition | Source::Program | Source::Asserted | Source::Invariant => true,
    }
}

/// The asserted facts up to a position.
pub fn asserted_facts(encoding: &Encoding, position: Position) -> impl Iterator<Item = Expression> + '_ {
    let asserted = encoding.facts_before(position).filter(|(_, fact)| fact.source == Source::Asserted);
    asserted.map(|(_, fact)| fact.condition)
}

struct Discharge<'a> {
    encoding: &'a mut Encoding,
    live: &'a [bool],
    session: &'a mut Session,
    limit: Effort,
    most_failures: usize,
    statuses: Vec<Status>,
    models: Vec<Model>,
    relevance: Relevance,
    sites: Sites,
    decider: Decider,
}

impl<'a> Discharge<'a> {
    fn new(
        encoding: &'a mut Encoding,
        live: &'a [bool],
        known: Vec<Status>,
        session: &'a mut Session,
        limit: Effort,
        most_failures: usize,
    ) -> Self {
        let again = |status| if status == Status::Proved { Status::Proved } else { Status::Open };
        Discharge {
            statuses: known.into_iter().map(again).collect(),
            encoding,
            live,
            session,
            limit,
            most_failures,
            models: Vec::new(),
            relevance: Relevance::default(),
            sites: Sites::default(),
            decider: Decider::default(),
        }
    }

    /// Runs of goals with no assumption between them, each with at most `most` goals.
    fn groups(&self, most: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut place = None;
        let last = self.encoding.last_assumptions();
        for (index, goal) in self.encoding.goals.iter().enumerate() {
            if self.statuses[index] == Status::Proved {
                continue;
            }
            let base = goal.position.and_then(|position| last[position]);
            match groups.last_mut() {
                Some(group) if place == Some(base) && group.len() < most => group.push(index),
                _ => groups.push(vec![index]),
            }
            place = Some(base);
        }
        groups
    }

    /// The goals of a group that simplification alone does not prove.
    ///
    /// Most pairs of accesses of unrolled code are apart by arithmetic, and each pair by another
    /// one. A solver finds the reasons one by one if it is asked about many pairs together.
    fn without_obvious(&mut self, goals: Vec<usize>) -> Vec<usize> {
        if goals.len() == 1 || !self.session.techniques().has(Technique::ObviousGoals) {
            return goals;
        }
        let first = self.encoding.goals[goals[0]].position;
        let facts = self.encoding.facts_before(self.encoding.last_assumption(first));
        // Earlier assertions are very many, and each is about other accesses.
        let facts: Vec<Expression> = facts
            .filter(|(_, fact)| fact.source != Source::Asserted && is_usable(fact.source, self.live))
            .map(|(_, fact)| fact.condition)
            .collect();
        goals.into_iter().filter(|&goal| self.session.out_of_time() || !self.is_obvious(goal, &facts)).collect()
    }

    /// Whether simplification alone proves a goal from those of some facts that are about its own
    /// sites.
    fn is_obvious(&mut self, goal: usize, facts: &[Expression]) -> bool {
        let fails = self.encoding.expressions.not(self.encoding.goals[goal].condition);
        let mut parts = self.own(facts, fails, &[goal]);
        parts.push(fails);
        let obvious = contradict_at_once(&mut self.encoding.expressions, self.session, &parts);
        if obvious {
            self.proved(&[goal]);
        }
        obvious
    }

    /// The goals of a group, partitioned by the sites that they mention.
    fn by_sites(&mut self, goals: Vec<usize>) -> Vec<Vec<usize>> {
        if !self.session.techniques().has(Technique::SiteGroups) {
            return vec![goals];
        }
        let mut parts: BTreeMap<Rc<BTreeSet<Site>>, Vec<usize>> = BTreeMap::new();
        for goal in goals {
            // This visits many expressions of an unrolled program; no question is asked once the
            // time is up.
            if self.session.out_of_time() {
                break;
            }
            let sites = self.sites.of(&self.encoding.expressions, self.encoding.goals[goal].condition);
            parts.entry(sites).or_default().push(goal);
        }
        parts.into_values().collect()
    }

    fn failures(&self) -> usize {
        self.statuses.iter().filter(|&&status| status == Status::Failed).count()
    }

    /// Decides the goals of one group, which are in program order.
    fn group(&mut self, goals: &[usize]) {
        let mut waiting = vec![goals.to_vec()];
        while let Some(goals) = waiting.pop() {
            if goals.is_empty() || self.session.out_of_time() || self.failures() >= self.most_failures {
                continue;
            }
            let (facts, one_fails) = self.one_fails(&goals);
            match self.check(&facts, one_fails, &goals) {
                Checked::Unsatisfiable => self.proved(&goals),
                Checked::Satisfiable(model) => {
                    let failing = goals.iter().position(|&goal| {
                        let condition = self.encoding.goals[goal].condition;
                        model.boolean(self.session, &self.encoding.expressions, condition) == Some(false)
                    });
                    let Some(failing) = failing else {
                        continue;
                    };
                    // The first goal that fails in the model fails where all earlier ones hold.
                    self.statuses[goals[failing]] = Status::Failed;
                    self.models.push(model);
                    waiting.push(goals[failing + 1..].to_vec());
                    waiting.push(goals[..failing].to_vec());
                }
                Checked::Unknown if goals.len() > 1 => {
                    let (first, second) = goals.split_at(goals.len() / 2);
                    waiting.push(second.to_vec());
                    waiting.push(first.to_vec());
                }
                Checked::Unknown => {}
            }
        }
    }

    /// The question whether one of some goals fails: the usable facts and the negated goals.
    ///
    /// There is no assumption between the goals.
    fn one_fails(&mut self, goals: &[usize]) -> (Vec<Expression>, Expression) {
        // The earlier goals of the group are not among the facts, since each may fail here. Goals
        // that are already decided hold where a later one is asked about.
        let first = self.encoding.goals[goals[0]].position;
        let position = self.encoding.last_assumption(first);
        let mut facts = usable_facts(self.encoding, position, self.live);
        let earlier = self.encoding.facts_before(first).take_while(|&(id, _)| Some(id) != position);
        facts.extend(earlier.map(|(_, fact)| fact.condition));
        let Encoding { expressions, goals: all, .. } = &mut *self.encoding;
        let failing: Vec<Expression> = goals.iter().map(|&goal| expressions.not(all[goal].condition)).collect();
        (facts, expressions.or(failing))
    }

    /// The sites that some goals mention.
    fn sites_of(&mut self, goals: &[usize]) -> BTreeSet<Site> {
        let mut all = BTreeSet::new();
        for &goal in goals {
            all.extend(self.sites.of(&self.encoding.expressions, self.encoding.goals[goal].condition).iter());
        }
        all
    }

    /// Whether one brief question proves some goals from the facts about their own sites.
    ///
    /// The goals are in program order with no assumption between them. If they follow, they are
    /// marked as proved.
    fn hold_together(&mut self, goals: &[usize], limit: Effort) -> bool {
        let (facts, one_fails) = self.one_fails(goals);
        let relevant = self.relevant(&facts, one_fails);
        let own = self.own(&relevant, one_fails, goals);
        let hold = matches!(self.ask(&own, one_fails, limit, Thoroughness::Brief), Checked::Unsatisfiable);
        if hold {
            self.proved(goals);
        }
        hold
    }

    fn proved(&mut self, goals: &[usize]) {
        for &goal in goals {
            self.statuses[goal] = Status::Proved;
        }
    }

    /// Decides whether one of some goals fails.
    fn check(&mut self, facts: &[Expression], goal: Expression, goals: &[usize]) -> Checked {
        if !self.session.techniques().has(Technique::RelevantFacts) {
            return self.ask(facts, goal, self.limit, Thoroughness::Thorough);
        }
        let relevant = self.relevant(facts, goal);
        let own = self.own(&relevant, goal, goals);
        if own.len() < relevant.len()
            && let Checked::Unsatisfiable = self.ask(&own, goal, self.limit.min(OWN_EFFORT), Thoroughness::Thorough)
        {
            return Checked::Unsatisfiable;
        }
        let checked = self.ask(&relevant, goal, self.limit, Thoroughness::Thorough);
        if relevant.len() < facts.len() && matches!(checked, Checked::Satisfiable(_)) {
            return self.ask(facts, goal, self.limit, Thoroughness::Thorough);
        }
        checked
    }

    fn ask(&mut self, facts: &[Expression], goal: Expression, limit: Effort, how: Thoroughness) -> Checked {
        let parts: Vec<Expression> = facts.iter().copied().chain([goal]).collect();
        let e = &mut self.encoding.expressions;
        self.decider.decide(e, self.session, &parts, limit, how)
    }

    /// The facts that mention no site outside the question whether one of some goals fails.
    ///
    /// They must matter to these sites, or to the accesses that the goals check.
    fn own(&mut self, facts: &[Expression], one_fails: Expression, goals: &[usize]) -> Vec<Expression> {
        if !self.session.techniques().has(Technique::SiteGroups) {
            return facts.to_vec();
        }
        let Encoding { expressions: e, goals: all, .. } = &*self.encoding;
        let spoken_of = self.sites.of(e, one_fails);
        let checked: Option<Vec<Site>> = goals.iter().map(|&goal| all[goal].checked).collect();
        // If the goals assert anything else, all facts may matter.
        let concerned = checked.map_or_else(BTreeSet::new, |sites| spoken_of.iter().copied().chain(sites).collect());
        let is_own = |fact: &Expression| {
            self.sites.of(e, *fact).is_subset(&spoken_of) && self.encoding.matters(*fact, &concerned)
        };
        facts.iter().copied().filter(is_own).collect()
    }

    /// The facts that share symbols with the goal, directly or through others.
    fn relevant(&mut self, facts: &[Expression], goal: Expression) -> Vec<Expression> {
        self.relevance.of(&self.encoding.expressions, facts, goal)
    }
}
