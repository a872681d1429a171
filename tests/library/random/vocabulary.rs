//! The vocabularies of kernels, besides the common arithmetic, arrays, loops, barriers and atomics.

use std::collections::BTreeSet;

use rand::{Rng, RngExt};

/// A feature that kernels may be written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vocabulary {
    /// Barriers of a warp with masks, shuffles, votes, matches, reductions.
    Warps,
    /// Asynchronous copies of a group, and waits for them.
    Copies,
    /// Asynchronous copies of a thread or shared by a group's threads, in batches, and waits.
    OwnCopies,
    /// Barriers of some of a group's warps, by their numbers.
    NamedBarriers,
    /// Functions without a body.
    Calls,
    /// Rows of a width that is a parameter.
    Rows,
    /// Counters, some of which are narrow, or take huge steps.
    Tickets,
    /// Flags, counters and locks, by which threads and groups synchronise through memory.
    Signals,
    /// Functions of libraries: only in CUDA C++.
    Libraries,
    /// Parts of words as components of vectors: only in OpenCL C.
    Components,
}

impl Vocabulary {
    /// The vocabularies that kernel IR can express. Library calls and vectors exist in source code
    /// only, so kernels with those are judged after Clang and the import.
    pub const OF_KERNELS: [Self; 8] = [
        Self::Warps,
        Self::Copies,
        Self::OwnCopies,
        Self::NamedBarriers,
        Self::Calls,
        Self::Rows,
        Self::Tickets,
        Self::Signals,
    ];

    /// Its name, on the command line too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Warps => "warps",
            Self::Copies => "copies",
            Self::OwnCopies => "own-copies",
            Self::NamedBarriers => "named-barriers",
            Self::Calls => "calls",
            Self::Rows => "rows",
            Self::Tickets => "tickets",
            Self::Signals => "signals",
            Self::Libraries => "libraries",
            Self::Components => "components",
        }
    }

    /// The vocabulary of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::OF_KERNELS.into_iter().find(|vocabulary| vocabulary.name() == name)
    }

    /// Draws some of these: half of the kernels have none, most others one.
    pub fn draw(random: &mut impl Rng) -> BTreeSet<Self> {
        let mut drawn = BTreeSet::new();
        if random.random_ratio(1, 2) {
            drawn.insert(Self::OF_KERNELS[random.random_range(0..Self::OF_KERNELS.len())]);
            if random.random_ratio(1, 8) {
                drawn.insert(Self::OF_KERNELS[random.random_range(0..Self::OF_KERNELS.len())]);
            }
            // No language has both, and no specification defines the effect of a warp barrier on a
            // copy by the group.
            let of_cuda = [Self::Warps, Self::OwnCopies, Self::NamedBarriers];
            if of_cuda.iter().any(|vocabulary| drawn.contains(vocabulary)) {
                drawn.remove(&Self::Copies);
            }
            // Its runs try many schedules, and no other inputs than the parameter.
            if drawn.contains(&Self::Signals) {
                drawn = BTreeSet::from([Self::Signals]);
            }
        }
        drawn
    }
}
