//! `LS0101`, a **data race**.
//!
//! Two threads access the same bytes, at least one of them writes, and nothing orders the two
//! accesses: there is no happens-before. Either no barrier that both threads pass lies between the
//! accesses, or that barrier does not cover this memory. The order of the accesses, and so the
//! result, differs from run to run. The compiler may also assume that a race never happens.
//!
//! The report shows both accesses, the two threads and the place in the array. `intra-group`: the
//! threads are in one group, so a barrier between the accesses can order them. `inter-group`: the
//! threads are in different groups, which no barrier orders within a launch. Use an atomic
//! operation, give each group its own place, or split the kernel.
//!
//! Two plain writes of the same value to the same place are not reported unless
//! `--no-benign-tolerance` is given. Two atomic operations do not race with each other.

use lockstep_verdict::act::Act;
use std::fmt::Write as _;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::ElementLayout;
use lockstep_ir::sequential::{AccessKind, Site};
use lockstep_prove::Counterexample;
use lockstep_prove::arithmetic;
use lockstep_verdict::Finding;
use lockstep_verdict::lack::{Lack, Order};
use lockstep_verdict::locks::Locks;

use super::run::Run;
use super::{
    different_locks, missing_acquire, missing_order, missing_release, narrow_scope, unlocked_by_others, volatile_race,
};

/// The stable code.
pub const CODE: &str = "LS0101";
/// The name of the kind.
pub const KIND: &str = "race";
/// The scope of a race of two threads of one group.
pub const WITHIN_GROUP: &str = "intra-group";
/// The scope of a race of threads of different groups.
pub const BETWEEN_GROUPS: &str = "inter-group";

/// The codes of races.
pub const CODES: [&str; 8] = [
    CODE,
    volatile_race::CODE,
    narrow_scope::CODE,
    missing_release::CODE,
    missing_acquire::CODE,
    missing_order::CODE,
    different_locks::CODE,
    unlocked_by_others::CODE,
];

/// The code of a race of two accesses, each of which is volatile or not.
pub fn code(volatile: [bool; 2]) -> &'static str {
    if volatile == [true; 2] { volatile_race::CODE } else { CODE }
}

/// The code of a confirmed race whose accesses would be ordered if operations did not lack this.
pub fn code_lacking(lacks: &[Lack]) -> &'static str {
    let has = |order: Order| lacks.iter().any(|lack| lack.order == order);
    match (has(Order::Scope), has(Order::Release), has(Order::Acquire)) {
        (true, ..) => narrow_scope::CODE,
        (false, true, true) => missing_order::CODE,
        (false, true, false) => missing_release::CODE,
        (false, false, true) => missing_acquire::CODE,
        (false, false, false) => CODE,
    }
}

/// The code of a confirmed race whose accesses are made under these locks.
pub fn code_under(locks: &Locks) -> &'static str {
    match locks.given_back {
        Some(_) => unlocked_by_others::CODE,
        None if locks.differ() => different_locks::CODE,
        None => CODE,
    }
}

/// The code of a race, whether or not runs tell what its operations lack and which locks are held.
pub fn unexplained(code: &str) -> &str {
    let explained = [
        narrow_scope::CODE,
        missing_release::CODE,
        missing_acquire::CODE,
        missing_order::CODE,
        different_locks::CODE,
        unlocked_by_others::CODE,
    ];
    if explained.contains(&code) { CODE } else { code }
}

/// The finding: thread 1's access at `logged`, thread 2's at `checked`.
pub(super) fn finding(run: &Run<'_>, logged: Site, checked: Site) -> Finding {
    let program = run.program;
    let sites = [logged, checked];
    let kinds = sites.map(|site| program.sites[site].kind);
    let array = &program.arrays[program.sites[logged].array];
    let mut finding = run.finding(code(sites.map(|site| program.sites[site].volatile)), KIND);
    finding.subkind = Some(kinds.map(|kind| plain(act(kind))).join("-"));
    finding.scope = Some(run.scope());
    finding.array = Some(array.name.clone());
    if let Some(dimensions) = array.image {
        finding.place = pixel(run.counterexample, dimensions).map(|pixel| format!("{}{pixel}", array.name));
    } else {
        finding.offset_bytes = run.counterexample.cell.and_then(|cell| cell.checked_mul(array.cell_bytes));
        finding.place = finding.offset_bytes.map(|bytes| place(&array.name, array.element.as_ref(), bytes));
    }
    for (thread, site) in sites.into_iter().enumerate() {
        let data = &program.sites[site];
        let mut access = run.access(thread, data.location, act(data.kind));
        access.arithmetic = arithmetic::of_access(&run.execution(), thread, site);
        finding.accesses.push(access);
    }
    finding
}

/// The pixel of an image that both threads access: `(3, 1)`.
fn pixel(counterexample: &Counterexample, dimensions: u8) -> Option<String> {
    let cell = counterexample.cell?;
    // Three coordinates do not fit into 64 bits, and a pixel that an access does not name is
    // another thread's.
    let mut offsets = counterexample.offsets.iter().flatten();
    let width = 32 * u32::from(dimensions);
    let packed = match offsets.find(|offset| offset.to_u64().unwrap_or(u64::MAX) == cell) {
        Some(offset) => offset.clone(),
        None => Bits::new(width, cell),
    };
    let coordinates = arithmetic::coordinates(&packed);
    let coordinates: Vec<String> = coordinates.iter().map(|coordinate| coordinate.signed().to_string()).collect();
    Some(format!("({})", coordinates.join(", ")))
}

/// The action of an access.
fn act(kind: AccessKind) -> Act {
    match kind {
        AccessKind::Read => Act::Read,
        AccessKind::Write => Act::Write,
        AccessKind::Atomic => Act::Atomic,
        AccessKind::AsyncRead => Act::AsyncRead,
        AccessKind::AsyncWrite => Act::AsyncWrite,
    }
}

/// The name of an access as part of `write-read`.
pub fn plain(act: Act) -> &'static str {
    match act {
        Act::Write | Act::AsyncWrite => "write",
        Act::Atomic => "atomic",
        _ => "read",
    }
}

/// A byte of an array as the source would write it: `tile[3][4]`, `A[12] (byte 2)`.
pub fn place(array: &str, element: Option<&ElementLayout>, bytes: u64) -> String {
    let Some(element) = element.filter(|element| element.bytes > 0) else {
        return format!("{array} (byte {bytes})");
    };
    let (mut index, byte) = (bytes / element.bytes, bytes % element.bytes);
    let mut indices = Vec::new();
    // The innermost dimension varies fastest; the outermost takes the remainder.
    for &size in element.dimensions.iter().skip(1).rev() {
        if size == 0 {
            break;
        }
        indices.push(index % size);
        index /= size;
    }
    indices.push(index);
    let mut text = array.to_owned();
    for index in indices.iter().rev() {
        // Writing to a string cannot fail.
        let _ = write!(text, "[{index}]");
    }
    if byte != 0 {
        let _ = write!(text, " (byte {byte})");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_what_the_source_would_write() {
        let element =
            |bytes, dimensions: &[u64]| ElementLayout { name: "t".into(), bytes, dimensions: dimensions.to_vec() };
        assert_eq!(place("A", Some(&element(4, &[])), 48), "A[12]");
        assert_eq!(place("A", Some(&element(4, &[100])), 50), "A[12] (byte 2)");
        assert_eq!(place("tile", Some(&element(4, &[16, 17])), (3 * 17 + 4) * 4), "tile[3][4]");
        assert_eq!(place("c", Some(&element(1, &[2, 3, 5])), (3 + 2) * 5 + 4), "c[1][2][4]");
        assert_eq!(place("A", None, 5), "A (byte 5)");
    }
}
