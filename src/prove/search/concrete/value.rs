//! Values of a concrete execution.
//!
//! Small ones are machine words, and each records the arbitrary values on which it depends.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::Sort;
use rustc_hash::FxHashMap;

/// A value; truth values are 0 and 1, and bit-vectors of up to 64 bits are words.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A truth value or a short bit-vector.
    Word(u64),
    /// A longer bit-vector.
    Wide(Arc<Bits>),
    /// The contents of an array.
    Map(Arc<Contents>),
}

/// The contents of an array: the elements at some indices, and a rule for all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    entries: BTreeMap<Bits, Bits>,
    rule: Rule,
    element: u32,
}

/// The rule that draws arbitrary values.
///
/// Any rule is valid, since the program must be right for all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The seed.
    pub seed: u64,
    /// The exponent of the power of two below which values lie; with 0, all values are zero.
    pub bits: u32,
}

impl Rule {
    /// An arbitrary word, different for each `number`.
    pub fn word(self, number: u64) -> u64 {
        mix(self.seed, number) & low_bits(self.bits.min(64))
    }
}

impl Value {
    /// The bit-vector as a value.
    pub fn of(bits: Bits) -> Self {
        match bits.to_u64() {
            Some(word) if bits.width() <= 64 => Self::Word(word),
            _ => Self::Wide(Arc::new(bits)),
        }
    }

    /// The word; panics for other values.
    pub fn word(&self) -> u64 {
        match self {
            Self::Word(word) => *word,
            other => panic!("a word expected, {other:?} found"),
        }
    }

    /// The bit-vector of this width.
    pub fn bits(&self, width: u32) -> Bits {
        match self {
            Self::Word(word) => Bits::new(width, *word),
            Self::Wide(bits) => (**bits).clone(),
            Self::Map(_) => panic!("a bit-vector expected, a map found"),
        }
    }

    /// Whether two values are known to be equal.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) => a == b,
            (Self::Wide(a), Self::Wide(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// An arbitrary value of a sort, drawn by a rule, different for each `number`.
    pub fn arbitrary(sort: Sort, rule: Rule, number: u64) -> Self {
        let drawn = rule.word(number);
        match sort {
            Sort::Boolean => Self::Word(drawn & 1),
            Sort::Bits(width) if width <= 64 => Self::Word(drawn & low_bits(width)),
            Sort::Bits(width) => Self::of(Bits::new(width, drawn)),
            Sort::Map { element, .. } => {
                let rule = Rule { seed: mix(rule.seed, !number), bits: rule.bits };
                Self::Map(Arc::new(Contents { entries: BTreeMap::new(), rule, element }))
            }
        }
    }

    /// The map's element at an index.
    pub fn select(&self, index: &Bits) -> Self {
        let Self::Map(contents) = self else { panic!("a map expected") };
        if let Some(bits) = contents.entries.get(index) {
            return Self::of(bits.clone());
        }
        let number = index.to_u64().unwrap_or(u64::MAX);
        Self::arbitrary(Sort::Bits(contents.element), contents.rule, number)
    }

    /// The cells of a map of words, by index.
    ///
    /// These are its first elements, and those with a value of their own.
    pub fn cells(&self, first: u64) -> Vec<(u64, u64)> {
        let Self::Map(contents) = self else { panic!("a map expected") };
        let width = contents.entries.keys().next().map_or(64, Bits::width);
        let mut cells: BTreeMap<u64, u64> = BTreeMap::new();
        for (index, bits) in &contents.entries {
            cells.extend(index.to_u64().zip(bits.to_u64()));
        }
        for index in (0..first).filter(|index| width >= 64 || index >> width == 0) {
            if let (None, Self::Word(word)) = (cells.get(&index), self.select(&Bits::new(width, index))) {
                cells.insert(index, word);
            }
        }
        cells.into_iter().collect()
    }

    /// The map with the element at an index replaced.
    pub fn store(&self, index: Bits, value: Bits) -> Self {
        let Self::Map(contents) = self else { panic!("a map expected") };
        let mut contents = (**contents).clone();
        contents.entries.insert(index, value);
        Self::Map(Arc::new(contents))
    }
}

/// The lowest `bits` bits.
pub fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// A pseudo-random number from two numbers (the finaliser of splitmix64).
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The index in [`Taints`] of a set of arbitrary values; 0 is the empty set.
pub type Taint = u32;

/// The sets of arbitrary values in use.
#[derive(Debug)]
pub struct Taints {
    sets: Vec<Box<[u32]>>,
    singles: FxHashMap<u32, Taint>,
    known: FxHashMap<Box<[u32]>, Taint>,
    unions: FxHashMap<(Taint, Taint), Taint>,
}

impl Taints {
    /// A collection that contains only the empty set.
    pub fn new() -> Self {
        let empty: Box<[u32]> = Box::new([]);
        Self {
            sets: vec![empty.clone()],
            singles: FxHashMap::default(),
            known: FxHashMap::from_iter([(empty, 0)]),
            unions: FxHashMap::default(),
        }
    }

    /// The members, in order.
    pub fn members(&self, taint: Taint) -> &[u32] {
        &self.sets[index(taint)]
    }

    /// The set with one member.
    pub fn single(&mut self, member: u32) -> Taint {
        if let Some(&known) = self.singles.get(&member) {
            return known;
        }
        let single = self.intern(vec![member]);
        self.singles.insert(member, single);
        single
    }

    /// The union of two sets.
    #[inline]
    pub fn union(&mut self, a: Taint, b: Taint) -> Taint {
        if a == b || b == 0 {
            a
        } else if a == 0 {
            b
        } else {
            self.proper_union(a, b)
        }
    }

    fn proper_union(&mut self, a: Taint, b: Taint) -> Taint {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all = [self.members(a), self.members(b)].concat();
        all.sort_unstable();
        all.dedup();
        let union = self.intern(all);
        self.unions.insert(key, union);
        union
    }

    /// The smaller of two sets.
    pub fn smaller(&self, a: Taint, b: Taint) -> Taint {
        if self.members(b).len() < self.members(a).len() { b } else { a }
    }

    fn intern(&mut self, members: Vec<u32>) -> Taint {
        let members: Box<[u32]> = members.into();
        if let Some(&known) = self.known.get(&members) {
            return known;
        }
        let taint = Taint::try_from(self.sets.len()).expect("fewer sets than that");
        self.sets.push(members.clone());
        self.known.insert(members, taint);
        taint
    }
}

fn index(taint: Taint) -> usize {
    usize::try_from(taint).expect("an index")
}
