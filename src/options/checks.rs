//! What is checked besides races and divergence, and can be chosen (`--check`, `--no-check`).
//!
//! A check that is switched off finds nothing. Where the proof of everything else rests on what it would have shown,
//! that is assumed, and the report lists it.

use lockstep_ir::assumption::Assumed;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// A property that each thread has by itself. The names on the command line are those of the variants in kebab case, the
/// summaries their comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Check {
    /// Accesses stay inside arrays of known size.
    Bounds,
    /// No access goes through the null pointer.
    Null,
    /// Nothing writes constant memory.
    Constant,
    /// Accesses have the alignment of their types.
    Alignment,
    /// Some thread can have written the shared memory that is read.
    Uninitialised,
    /// Shuffles read from lanes that take part.
    ShuffleSource,
    /// Masks name the lanes that execute the operation.
    LaneMask,
    /// Signed arithmetic that computes an index does not overflow (off by default).
    Overflow,
}

impl Check {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What is checked, in a line.
    pub fn summary(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
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
        let default = Check::ALL.iter().copied().filter(|check| check.is_default());
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
        for (index, check) in Check::ALL.iter().copied().enumerate() {
            assert_eq!(check as usize, index, "{}", check.name());
            let others = Check::ALL.iter().copied().filter(|&other| other != check);
            assert!(others.clone().all(|other| other.name() != check.name()));
            let (with, without) = (Checks::chosen(&[check], &[]), Checks::chosen(&[], &[check]));
            assert!(with.has(check) && !without.has(check));
            assert!(others.clone().all(|other| with.has(other) == other.is_default()));
            assert!(others.clone().all(|other| without.has(other) == other.is_default()));
        }
        assert!(!Checks::default().has(Check::Overflow));
    }
}
