//! Lanes of a warp that execute the same operations on barriers.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// Which lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lanes {
    /// All of them.
    All,
    /// The first one, where the others do something else.
    First,
    /// All but the first one.
    Others,
}

/// Lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// The warp's number in the group.
    pub warp: u64,
    /// Its lanes.
    pub lanes: Lanes,
}

/// Several of them.
pub type Units = BTreeSet<Unit>;

impl Unit {
    /// All lanes of a warp.
    pub fn of_warp(warp: u64) -> Self {
        Self { warp, lanes: Lanes::All }
    }

    /// The numbers of its threads in the group.
    pub fn threads(self, warp_size: u64) -> Range<u64> {
        let start = self.warp * warp_size;
        match self.lanes {
            Lanes::All => start..start + warp_size,
            Lanes::First => start..start + 1,
            Lanes::Others => start + 1..start + warp_size,
        }
    }
}

/// The numbers of their threads, as few ranges as possible.
pub fn ranges(units: &Units, warp_size: u64) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for unit in units {
        let threads = unit.threads(warp_size);
        match ranges.last_mut() {
            Some(last) if last.end == threads.start => last.end = threads.end,
            _ => ranges.push(threads),
        }
    }
    ranges
}

/// The number of their threads.
pub fn count(units: &Units, warp_size: u64) -> u64 {
    units.iter().map(|unit| unit.threads(warp_size)).map(|threads| threads.end - threads.start).sum()
}

/// Units in words: `warps 0 to 3`, `the first lane of warp 1`.
pub struct Names<'a>(pub &'a Units);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |lanes: Lanes| self.0.iter().filter(move |unit| unit.lanes == lanes).map(|unit| unit.warp).collect();
        let parts =
            [(Lanes::All, ""), (Lanes::First, "the first lane of "), (Lanes::Others, "all but the first lane of ")];
        let shown: Vec<String> = parts
            .into_iter()
            .map(|(lanes, text)| (of(lanes), text))
            .filter(|(warps, _): &(Vec<u64>, _)| !warps.is_empty())
            .map(|(warps, text)| format!("{text}{}", self::warps(&warps)))
            .collect();
        f.write_str(&shown.join(" and "))
    }
}

/// Ranges of warps.
fn warps(all: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &warp in all {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == warp => *last = warp,
            _ => ranges.push((warp, warp)),
        }
    }
    let show = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let shown: Vec<String> = ranges.iter().map(show).collect();
    format!("{} {}", if all.len() == 1 { "warp" } else { "warps" }, shown.join(", "))
}
