//! What is checked besides races and divergence, and can be chosen (`--check`, `--no-check`).
//!
//! A check that is switched off finds nothing. Where the proof of everything else rests on what it would have shown,
//! that is assumed, and the report lists it.

use lockstep_ir::assumption::Assumed;

/// Something that is checked of each thread by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Accesses stay inside arrays of known size.
    Bounds,
    /// No access goes through the null pointer.
    Null,
    /// Nothing writes constant memory.
    Constant,
    /// Accesses are aligned as their types ask.
    Alignment,
    /// What is read of shared memory may have been written.
    Uninitialised,
    /// Shuffles read from lanes that take part.
    ShuffleSource,
    /// A mask names the lanes that execute the operation it is given to.
    LaneMask,
    /// The signed arithmetic that computes an index does not overflow.
    Overflow,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Bounds,
        Self::Null,
        Self::Constant,
        Self::Alignment,
        Self::Uninitialised,
        Self::ShuffleSource,
        Self::LaneMask,
        Self::Overflow,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.name_and_summary().0
    }

    /// What is checked, in a line.
    pub fn summary(self) -> &'static str {
        self.name_and_summary().1
    }

    /// Whether it is checked if nothing is said about it.
    pub fn is_default(self) -> bool {
        // That arithmetic does not overflow is what the language promises: assumed, with its lines.
        self != Self::Overflow
    }

    /// What is taken for granted where it is not checked; `None` if nothing is, or if that depends.
    pub fn assumed_instead(self) -> Option<Assumed> {
        match self {
            Self::Bounds => Some(Assumed::BoundsUnchecked),
            Self::Null => Some(Assumed::NullUnchecked),
            Self::Constant => Some(Assumed::ConstantUnchecked),
            Self::LaneMask => Some(Assumed::LaneMaskUnchecked),
            Self::Alignment | Self::Uninitialised | Self::ShuffleSource | Self::Overflow => None,
        }
    }

    fn name_and_summary(self) -> (&'static str, &'static str) {
        match self {
            Self::Bounds => ("bounds", "accesses stay inside arrays of known size"),
            Self::Null => ("null", "no access goes through the null pointer"),
            Self::Constant => ("constant", "nothing writes constant memory"),
            Self::Alignment => ("alignment", "accesses are aligned as their types ask"),
            Self::Uninitialised => ("uninitialised", "some thread can have written what is read of shared memory"),
            Self::ShuffleSource => ("shuffle-source", "shuffles read from lanes that take part"),
            Self::LaneMask => ("lane-mask", "masks name the lanes that execute the operation"),
            Self::Overflow => {
                ("overflow", "signed arithmetic that computes an index does not overflow; off by default")
            }
        }
    }
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checks {
    /// A bit for each check.
    chosen: u32,
}

impl Default for Checks {
    fn default() -> Self {
        Self::chosen(&[], &[])
    }
}

impl Checks {
    /// What is checked by default and these, without those.
    pub fn chosen(with: &[Check], without: &[Check]) -> Self {
        let default = Check::ALL.into_iter().filter(|check| check.is_default());
        let chosen = default.chain(with.iter().copied()).fold(0, |bits, check| bits | bit(check));
        Self { chosen: without.iter().fold(chosen, |bits, &check| bits & !bit(check)) }
    }

    /// Whether something is checked.
    pub fn has(self, check: Check) -> bool {
        self.chosen & bit(check) != 0
    }
}

fn bit(check: Check) -> u32 {
    1 << check as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_chosen_by_itself() {
        for (index, check) in Check::ALL.into_iter().enumerate() {
            assert_eq!(check as usize, index, "{}", check.name());
            let others = Check::ALL.into_iter().filter(|&other| other != check);
            assert!(others.clone().all(|other| other.name() != check.name()));
            let (with, without) = (Checks::chosen(&[check], &[]), Checks::chosen(&[], &[check]));
            assert!(with.has(check) && !without.has(check));
            assert!(others.clone().all(|other| with.has(other) == other.is_default()));
            assert!(others.clone().all(|other| without.has(other) == other.is_default()));
        }
        assert!(!Checks::default().has(Check::Overflow));
    }
}
