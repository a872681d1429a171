//! The parts of the proof that can be switched off one by one (`--without`), to see what each is worth.
//!
//! Without one of them less is proved or found, or it takes longer; nothing is ever assumed instead. Each is an engine that
//! is not asked, a search that is not made, or a fact that is not used, so that what remains is as sound as before.
//! The families of candidate invariants are no techniques: they have names of their own (`--omit-infer`).

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Ghosts that add up what induction variables do ([`lockstep_invariants::add_sums`]).
    RunningSums,
    /// Inference without dear candidates first ([`lockstep_invariants::Candidate::is_dear`]).
    StagedInference,
    /// Candidates about accesses only where what barriers say does not settle all ([`lockstep_prove`]).
    NeededSites,
    /// Candidates are executed on concrete inputs before the solver is asked.
    ConcreteRefutation,
    /// Defects are looked for by executing the program on concrete inputs.
    ConcreteSearch,
    /// Loops are executed symbolically, for defects and for proofs.
    Unrolling,
    /// What an iteration keeps is shown by the two cases of an access, without a solver ([`lockstep_prove`]).
    Cases,
    /// In inference, what is claimed of one site's hit is shown without the facts about others at first.
    SiteGroups,
    /// What inference has shown is not asked again while the facts that it was shown from are there.
    ShownBefore,
    /// Facts that share no symbols with what is to be shown are left out at first.
    RelevantFacts,
    /// What a question asserts decides conditions inside of it.
    Propagation,
    /// Where the watched cell is said to be some cell, that cell stands for it.
    WatchedCell,
    /// Equations are solved, and taken apart by what they say modulo a number, before the solver is asked.
    Equations,
    /// Questions are asked about integers.
    Integers,
    /// What is true of products that share a factor is said to the solver.
    ProductLemmas,
    /// Questions are asked with unknowns in place of counts of bits first ([`lockstep_prove`]).
    BitCounts,
    /// Questions are asked with unknowns in place of products.
    OpaqueProducts,
    /// Questions are asked without what is long to compute first ([`lockstep_prove`]).
    LighterQuestions,
    /// The solver's general engine is asked before its tactics for bits.
    GeneralEngine,
    /// Loads of what cannot have been written since the last barrier are the same for both threads.
    IntervalValues,
    /// A thread reads back what it wrote itself since the last barrier.
    OwnWrites,
    /// Numbers drawn from an atomic counter are distinct.
    Tickets,
    /// A read of what the thread has just read is no further access ([`lockstep_transform::analysis::repeated`]).
    RepeatedReads,
    /// Writes to one place right after each other are recorded as one, for the proof ([`lockstep_transform::analysis::repeated`]).
    SharedSites,
    /// Indices of rows whose width is a symbol are compared row by row and column by column ([`lockstep_transform::lockstep`]).
    Digits,
    /// Where a proof fails, the invariant that is missing is looked for: a better reason, never another verdict.
    MissingInvariants,
}

impl Technique {
    /// All of them, in the order of the pipeline from its end.
    pub const ALL: [Self; 26] = [
        Self::RunningSums,
        Self::StagedInference,
        Self::NeededSites,
        Self::ConcreteRefutation,
        Self::ConcreteSearch,
        Self::Unrolling,
        Self::Cases,
        Self::SiteGroups,
        Self::ShownBefore,
        Self::RelevantFacts,
        Self::Propagation,
        Self::WatchedCell,
        Self::Equations,
        Self::Integers,
        Self::ProductLemmas,
        Self::BitCounts,
        Self::OpaqueProducts,
        Self::LighterQuestions,
        Self::GeneralEngine,
        Self::IntervalValues,
        Self::OwnWrites,
        Self::Tickets,
        Self::RepeatedReads,
        Self::SharedSites,
        Self::Digits,
        Self::MissingInvariants,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.name_and_summary().0
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        self.name_and_summary().1
    }

    fn name_and_summary(self) -> (&'static str, &'static str) {
        match self {
            Self::RunningSums => ("running-sums", "ghosts that add up what induction variables do"),
            Self::StagedInference => ("staged-inference", "inference without the dear candidates first"),
            Self::NeededSites => {
                ("needed-sites", "no candidates about accesses that barriers keep apart from all they could race with")
            }
            Self::ConcreteRefutation => {
                ("concrete-refutation", "candidates are executed on concrete inputs before the solver is asked")
            }
            Self::ConcreteSearch => ("concrete-search", "defects are looked for by execution on concrete inputs"),
            Self::Unrolling => ("unrolling", "loops are executed symbolically, for defects and for proofs"),
            Self::Cases => ("cases", "what an iteration keeps is shown by an access's two cases, without a solver"),
            Self::SiteGroups => ("site-groups", "inference asks about one access without facts about others at first"),
            Self::ShownBefore => ("shown-before", "inference does not ask again what follows from facts still there"),
            Self::RelevantFacts => ("relevant-facts", "facts that share no symbols with a goal are left out at first"),
            Self::Propagation => ("propagation", "what a question asserts decides conditions inside of it"),
            Self::WatchedCell => ("watched-cell", "a cell accessed stands for the watched cell that it is"),
            Self::Equations => ("equations", "equations are solved and taken apart before the solver is asked"),
            Self::Integers => ("integers", "questions are asked about integers, too"),
            Self::ProductLemmas => ("product-lemmas", "what is true of products that share a factor is said"),
            Self::BitCounts => ("bit-counts", "what is true of the numbers of set bits is said"),
            Self::OpaqueProducts => ("opaque-products", "questions are asked with unknowns in place of products, too"),
            Self::LighterQuestions => {
                ("lighter-questions", "questions are asked without what is long to compute at first")
            }
            Self::GeneralEngine => ("general-engine", "the solver's general engine is asked before its tactics"),
            Self::IntervalValues => {
                ("interval-values", "loads of what is as it was at the last barrier are the same for both threads")
            }
            Self::OwnWrites => ("own-writes", "a thread reads back what it wrote since the last barrier"),
            Self::Tickets => ("tickets", "numbers drawn from an atomic counter are distinct"),
            Self::RepeatedReads => ("repeated-reads", "a read of what was just read is no further access"),
            Self::SharedSites => ("shared-sites", "writes to one place after each other are recorded as one access"),
            Self::Digits => ("digits", "rows whose width is a symbol are compared row by row and column by column"),
            Self::MissingInvariants => {
                ("missing-invariants", "where a proof fails, it is said which invariant is missing")
            }
        }
    }
}

/// The techniques in use: all, unless some are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Techniques {
    /// A bit for each that is left out.
    left_out: u32,
}

impl Techniques {
    /// All but these.
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
        for (index, technique) in Technique::ALL.into_iter().enumerate() {
            assert_eq!(technique as usize, index, "{}", technique.name());
            let others = Technique::ALL.into_iter().filter(|&other| other != technique);
            assert!(others.clone().all(|other| other.name() != technique.name()));
            let without = Techniques::without(&[technique]);
            assert!(!without.has(technique) && others.clone().all(|other| without.has(other)));
            assert!(Techniques::default().has(technique));
        }
    }
}
