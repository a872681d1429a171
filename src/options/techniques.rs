//! The parts of the proof that can be disabled one by one (`--without`), to measure the value of
//! each.
//!
//! Without one of them Lockstep proves or finds less, or takes longer; it never assumes anything
//! instead. Each technique is an engine, a search or a kind of fact. Without it, the engine is not
//! asked, the search is not made, or the fact is not used, so the rest is as sound as before. The
//! families of candidate invariants are not techniques: they have names of their own
//! (`--omit-infer`).

use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// A part of the proof. The names on the command line are those of the variants in kebab case; the
/// summaries are the variants' comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Technique {
    /// Ghost variables add up the steps of induction variables.
    RunningSums,
    /// Inference runs without the expensive candidates first.
    StagedInference,
    /// Accesses that barriers separate from all others get no candidates.
    NeededSites,
    /// Runs on concrete inputs refute candidates before the solver is asked.
    ConcreteRefutation,
    /// Runs on concrete inputs search for defects.
    ConcreteSearch,
    /// Symbolic execution unrolls loops, for defects and for proofs.
    Unrolling,
    /// Two cases of an access show what an iteration keeps, without a solver.
    Cases,
    /// Assertions that simplification proves by itself are left out of questions about many.
    ObviousGoals,
    /// Inference asks about one access without the facts about others first.
    SiteGroups,
    /// Inference does not repeat a question while the facts of its answer hold.
    ShownBefore,
    /// Facts that share no symbol with the goal are left out at first.
    RelevantFacts,
    /// The assertions of a question decide conditions inside of it.
    Propagation,
    /// An accessed cell replaces the watched cell where the two are equal.
    WatchedCell,
    /// Equations are solved, also modulo a number, before the solver is asked.
    Equations,
    /// The solver is also asked about integers.
    Integers,
    /// The solver is told facts about products that share a factor.
    ProductLemmas,
    /// The solver is told facts about numbers of set bits.
    BitCounts,
    /// The solver is also asked with unknowns in place of products.
    OpaqueProducts,
    /// Expensive arithmetic is left out of questions at first.
    LighterQuestions,
    /// The solver's general engine is asked before its tactics for bits.
    GeneralEngine,
    /// A load that nothing can have changed since the last barrier has one value for both threads.
    IntervalValues,
    /// A thread reads back its own writes since the last barrier.
    OwnWrites,
    /// Numbers drawn from an atomic counter are distinct.
    Tickets,
    /// Fences, releases and acquisitions order accesses.
    Signals,
    /// A read that the same thread has just made is no further access.
    RepeatedReads,
    /// Consecutive writes to one place are recorded as one access.
    SharedSites,
    /// Rows of symbolic width are compared row by row and column by column.
    Digits,
    /// Arguments and sizes that preconditions equate with constants are replaced by these.
    Substitution,
    /// The search goes on behind the first defects of a kernel.
    FurtherDefects,
    /// A precondition is sought for a kernel that fails for some arguments or sizes.
    Preconditions,
    /// A change of the source is sought that mends races.
    Fixes,
    /// A failed proof names the loop invariant that is missing.
    MissingInvariants,
}

impl Technique {
    /// All techniques, in the order of the pipeline from its end.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The technique, in one line.
    pub fn summary(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }
}

/// The techniques in use: all except those left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Techniques {
    /// One bit for each technique that is left out.
    left_out: u32,
}

impl Techniques {
    /// All techniques except these.
    pub fn without(left_out: &[Technique]) -> Self {
        Self { left_out: left_out.iter().fold(0, |bits, &technique| bits | bit(technique)) }
    }

    /// Whether a technique is in use.
    pub fn has(self, technique: Technique) -> bool {
        self.left_out & bit(technique) == 0
    }
}

fn bit(technique: Technique) -> u32 {
    1 << technique as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_listed_once_under_its_own_name() {
        for (index, technique) in Technique::ALL.iter().copied().enumerate() {
            assert_eq!(technique as usize, index, "{}", technique.name());
            let others = Technique::ALL.iter().copied().filter(|&other| other != technique);
            assert!(others.clone().all(|other| other.name() != technique.name()));
            let without = Techniques::without(&[technique]);
            assert!(!without.has(technique) && others.clone().all(|other| without.has(other)));
            assert!(Techniques::default().has(technique));
        }
    }
}
