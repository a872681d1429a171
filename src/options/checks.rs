//! The selectable checks besides races and divergence (`--check`, `--no-check`).
//!
//! A disabled check reports no findings. If the proof of other properties rests on the property
//! that it checks, the proof assumes that property, and the report lists the assumption.

use lockstep_ir::assumption::Assumed;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// A property of each thread by itself. The names on the command line are those of the variants in
/// kebab case; the summaries are the variants' comments.
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

    /// The checked property, in one line.
    pub fn summary(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// Whether the property is checked by default.
    pub fn is_default(self) -> bool {
        // The language promises that arithmetic does not overflow: the report lists the assumption
        // with its lines.
        self != Self::Overflow
    }

    /// The assumption made where the property is not checked. `None` if there is none, or if it
    /// depends on the kernel.
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

/// The set of enabled checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checks {
    /// One bit for each check.
    chosen: u32,
}

impl Default for Checks {
    fn default() -> Self {
        Self::chosen(&[], &[])
    }
}

impl Checks {
    /// The default checks with those of `with` added and those of `without` removed.
    pub fn chosen(with: &[Check], without: &[Check]) -> Self {
        let default = Check::ALL.iter().copied().filter(|check| check.is_default());
        let chosen = default.chain(with.iter().copied()).fold(0, |bits, check| bits | bit(check));
        Self { chosen: without.iter().fold(chosen, |bits, &check| bits & !bit(check)) }
    }

    /// Whether a check is enabled.
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
