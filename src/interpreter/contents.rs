//! Facts about the contents of arrays, which a run takes for true and checks at its end.
//!
//! A fact is about all elements of an array. A run checks it for those that it reads, which are
//! known at the end. A fact that does not hold for them is a broken assumption, and so is one about
//! an array that the run writes: nothing in it is what it was at the beginning.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::ContentsKind;

use crate::code::{Position, Register};
use crate::memory::Region;

/// A step that states a fact.
#[derive(Clone, Debug)]
pub struct ContentsStep {
    /// The kind of fact.
    pub kind: ContentsKind,
    /// The array's number.
    pub array: usize,
    /// The size of an element in bytes.
    pub bytes: usize,
    /// Whether elements have a sign.
    pub signed: bool,
    /// The registers of the bounds.
    pub bounds: Option<[Register; 2]>,
}

/// The last of increasing elements is at least this far from the largest number.
const INCREASING_ROOM: i128 = 1 << 10;

/// The facts that threads have stated: the number of the step's data, bounds, and the step.
pub type Stated = BTreeSet<(usize, [i64; 2], Position)>;

/// The steps of facts that do not hold.
pub fn broken(steps: &[ContentsStep], stated: &Stated, regions: &[Region]) -> Vec<Position> {
    let holds = |&(number, bounds, _): &(usize, [i64; 2], Position)| {
        let step = &steps[number];
        regions[step.array].read_only(step.bytes).is_some_and(|elements| step.holds(&elements, bounds))
    };
    stated.iter().filter(|fact| !holds(fact)).map(|(_, _, at)| *at).collect()
}

impl ContentsStep {
    fn holds(&self, elements: &BTreeMap<u64, u64>, [least, end]: [i64; 2]) -> bool {
        let number = |word: u64| {
            let unused = 64 - 8 * u32::try_from(self.bytes).unwrap_or(8);
            if self.signed { i128::from((word << unused).cast_signed() >> unused) } else { i128::from(word) }
        };
        let all: Vec<i128> = elements.values().map(|&word| number(word)).collect();
        match self.kind {
            ContentsKind::Sorted => all.is_sorted(),
            // Those between two that are read, and some behind the last one, are different, too.
            ContentsKind::Increasing => {
                let largest = (1_i128 << (8 * self.bytes - usize::from(self.signed))) - 1;
                let read: Vec<(i128, i128)> = elements.keys().map(|&at| at.into()).zip(all).collect();
                read.is_sorted_by(|(at, a), (behind, b)| b - a >= behind - at)
                    && read.iter().all(|(_, element)| *element <= largest - INCREASING_ROOM)
            }
            ContentsKind::Distinct => all.iter().collect::<BTreeSet<_>>().len() == all.len(),
            ContentsKind::Within => all.iter().all(|one| (i128::from(least)..i128::from(end)).contains(one)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(kind: ContentsKind, signed: bool) -> ContentsStep {
        ContentsStep { kind, array: 0, bytes: 2, signed, bounds: None }
    }

    fn holds(kind: ContentsKind, signed: bool, elements: &[i16]) -> bool {
        let words = elements.iter().map(|&element| u64::from(element.cast_unsigned()));
        step(kind, signed).holds(&(0..).zip(words).collect(), [-1, 3])
    }

    #[test]
    fn facts_are_about_all_elements() {
        use ContentsKind::{Distinct, Increasing, Sorted, Within};
        for (kind, good, bad) in [
            (Sorted, &[-1, 0, 0, 2][..], &[0, 2, 1][..]),
            (Increasing, &[-1, 0, 2], &[0, 0, 2]),
            (Distinct, &[2, 0, 1], &[2, 0, 2]),
            (Within, &[-1, 2, 0], &[0, 3]),
        ] {
            assert!(holds(kind, true, good), "{kind:?}");
            assert!(!holds(kind, true, bad), "{kind:?}");
        }
        // -1 is 65535 without a sign.
        assert!(!holds(Sorted, false, &[-1, 0]));
        assert!(!holds(Within, false, &[-1, 2]));
    }
}
