//! Plans for small kernels.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{parse, verify};
use lockstep_options::launch::{Extent, Launch};

use super::grids::with_grid_barriers;
use super::leaders::Standing;
use super::waits::without_waiting;
use super::{Kind, Signals, signals};
use crate::analysis::alignment::divisors;
use crate::analysis::pointers::points_to;
use crate::analysis::structure::Structure;

const HEAD: &str = "kernel \"k\" cuda pointers 64
arr0 = global parameter \"signal\" element \"int\" 4 volatile
arr1 = global parameter \"data\" element \"int\" 4
parameter \"signal\" pointer arr0
parameter \"data\" pointer arr1
entry block0

block0:
    v0: pointer(global) = array_base arr0
    v1: pointer(global) = array_base arr1
    v2: bv64 = query local_id 0
    v3: bv64 = constant 0bv64
    v4: bv32 = constant 0bv32
    v5: bv32 = constant 1bv32
    fence sequentially_consistent device {local, global, image}
";

/// The plan for a kernel with this body, and the number of its loops.
fn plan(body: &str, threads: u32) -> (Option<Signals>, usize) {
    let kernel = parse(&format!("{HEAD}{body}")).expect("the kernel is well formed");
    let kernel = verify(kernel).expect("the kernel keeps the rules");
    let launch = Launch { local_size: [threads, 1, 1].map(Extent::Known), ..Launch::default() };
    let waiting = without_waiting(&kernel, &launch);
    let (kernel, structure) = Structure::of(waiting.as_ref().unwrap_or(&kernel)).expect("nothing is refused");
    let (points_to, divisors) = (points_to(&kernel), divisors(&kernel, &structure.order));
    let plan = signals(&kernel, &structure, &points_to, &divisors, &launch, waiting.is_some(), &BTreeSet::new());
    (plan, structure.loops.len())
}

fn kind(body: &str) -> Option<Kind> {
    plan(body, 64).0?.places.into_values().next().map(|place| place.kind)
}

/// A loop that reads in its head, and goes on where the comparison holds.
fn wait(access: &str) -> String {
    format!(
        "    jump block1\n\nblock1:\n    v6: bv32 = {access}\n    v7: bool = not_equal v6, v4\n    \
         branch v7, block2, block3\n\nblock2:\n    jump block1\n\nblock3:\n"
    )
}

#[test]
fn a_loop_that_only_waits_is_none() {
    let load = wait("load v0 align 4 volatile");
    let (_, loops) = plan(&format!("{load}    return\n"), 64);
    assert_eq!(loops, 0);
    // An ordinary load does not wait for others, and a store is more than waiting.
    let (_, loops) = plan(&format!("{}    return\n", wait("load v1 align 4")), 64);
    assert_eq!(loops, 1);
    let stores = load.replace("block2:\n", "block2:\n    store v1 align 4, v5\n");
    assert_eq!(plan(&format!("{stores}    return\n"), 64).1, 1);
    // The number of rounds is told behind the loop.
    let counts = "    jump block1(v4)\n\nblock1(v8: bv32):\n    v6: bv32 = load v0 align 4 volatile\n    \
                  v7: bool = not_equal v6, v4\n    branch v7, block2, block3\n\nblock2:\n    v9: bv32 = add v8, v5\n    \
                  jump block1(v9)\n\nblock3:\n    store v1 align 4, v8\n    return\n";
    assert_eq!(plan(counts, 64).1, 1);
}

#[test]
fn places_have_kinds() {
    let swap = wait("atomic compare_exchange relaxed device v0 align 4 (v4, v5)");
    let free = Kind::Lock { free: lockstep_ir::bits::Bits::zero(32) };
    let back = "    v10: bv32 = atomic exchange relaxed device v0 align 4 (v4)\n    return\n";
    assert_eq!(kind(&format!("{swap}{back}")), Some(free));
    // Another value than that of a free lock is given back.
    assert_eq!(kind(&format!("{swap}{}", back.replace("(v4)", "(v5)"))), None);
    let load = wait("load v0 align 4 volatile");
    assert_eq!(kind(&format!("{load}    store v0 align 4 volatile, v5\n    return\n")), Some(Kind::Flag));
    assert_eq!(kind(&format!("{load}    store v0 align 4, v5\n    return\n")), None);
    let adds = "    v10: bv32 = atomic add relaxed device v0 align 4 (v5)\n    return\n";
    assert_eq!(kind(&format!("{load}{adds}")), Some(Kind::Counter { step: 1 }));
    let again = |body: &str| {
        format!(
            "{load}    jump block4(v4)\n\nblock4(v8: bv32):\n    v9: bv32 = add v8, v5\n{body}    \
             v12: bv32 = truncate v2\n    v11: bool = unsigned_less v9, v12\n    \
             branch v11, block4(v9), block5\n\nblock5:\n    return\n"
        )
    };
    assert_eq!(kind(&again("    store v0 align 4 volatile, v9\n")), Some(Kind::Progress));
    assert_eq!(kind(&again(adds.trim_end_matches("    return\n"))), Some(Kind::Progress));
    // One value in each iteration is no progress, nor is a store that races.
    assert_eq!(kind(&again("    store v0 align 4 volatile, v5\n")), None);
    assert_eq!(kind(&again("    store v0 align 4, v9\n")), None);
    // The value that is read is written back, so that it is data.
    assert_eq!(kind(&format!("{load}    store v0 align 4 volatile, v6\n    return\n")), None);
}

#[test]
fn leaders_are_alone() {
    let led = |condition: &str, threads: u32| {
        let body = format!(
            "    v6: bv64 = constant 32bv64\n{condition}    branch v8, block1, block2\n\nblock1:\n    \
             v9: bv32 = atomic add relaxed device v0 align 4 (v5)\n    jump block2\n\nblock2:\n    return\n"
        );
        let (plan, _) = plan(&body, threads);
        let leaders = plan.expect("there is a counter").leaders;
        leaders.standing(lockstep_ir::kernel::Block::from_u32(1))
    };
    assert_eq!(led("    v8: bool = equal v2, v3\n", 64), Standing::Led);
    assert_eq!(led("    v8: bool = equal v2, v6\n", 64), Standing::Led);
    // A group of 32 threads has no thread 32.
    assert_eq!(led("    v8: bool = equal v2, v6\n", 32), Standing::Others);
    let of_warps = "    v7: bv64 = unsigned_remainder v2, v6\n    v8: bool = equal v7, v3\n";
    assert_eq!(led(of_warps, 64), Standing::Unknown);
    assert_eq!(led(of_warps, 32), Standing::Led);
    assert_eq!(led("    v8: bool = unsigned_less v2, v6\n", 64), Standing::Unknown);
}

/// A barrier of the launch, made of a counter.
const MEETS: &str = "    store v1 align 4, v5
    barrier group {local, global, image}
    v6: bool = equal v2, v3
    branch v6, block1, block2

block1:
    fence sequentially_consistent device {local, global, image}
    v7: bv32 = atomic add relaxed device v0 align 4 (v5)
    v8: bv32 = load v0 align 4 volatile
    fence sequentially_consistent device {local, global, image}
    jump block2

block2:
    barrier group {local, global, image}
    store v1 align 4, v4
    return
";

/// Whether a kernel with this body makes a barrier of the launch.
fn meets(body: &str) -> bool {
    let kernel = parse(&format!("{HEAD}{body}")).expect("the kernel is well formed");
    let kernel = verify(kernel).expect("the kernel keeps the rules");
    let launch = Launch { local_size: [64, 1, 1].map(Extent::Known), ..Launch::default() };
    with_grid_barriers(&kernel, &launch).is_some()
}

#[test]
fn a_counter_makes_a_barrier_of_the_launch() {
    let changed = |from: &str, to: &str| {
        assert!(MEETS.contains(from), "{from}");
        meets(&MEETS.replacen(from, to, 1))
    };
    assert!(meets(MEETS));
    let (fence, load) =
        ("    fence sequentially_consistent device {local, global, image}\n", "v8: bv32 = load v0 align 4 volatile");
    let (add, barrier) =
        ("v7: bv32 = atomic add relaxed device v0 align 4 (v5)", "    barrier group {local, global, image}\n");
    // The operations may order by themselves. A leader may read by its addition, or wait elsewhere.
    assert!(changed(&format!("{fence}    {add}"), &format!("    {}", add.replace("relaxed", "release"))));
    assert!(changed(&format!("{load}\n{fence}"), "v8: bv32 = atomic load acquire device v0 align 4 ()\n"));
    assert!(changed(load, "v8: bv32 = constant 1bv32"));
    // Fences of all threads do, if there is one on both sides.
    let of_all = MEETS.replacen(barrier, &format!("{fence}{barrier}"), 1).replacen(
        &format!("{fence}    {add}"),
        &format!("    {add}"),
        1,
    );
    assert!(meets(&of_all));
    assert!(!meets(&of_all.replacen(&format!("{load}\n{fence}"), &format!("{load}\n"), 1)));
    for (from, to) in [
        // No release, or too narrow a one.
        (format!("{fence}    {add}"), format!("    {add}")),
        (format!("{fence}    {add}"), format!("{}    {add}", fence.replace("device", "group"))),
        // No acquire.
        (format!("{load}\n{fence}"), format!("{load}\n")),
        (load.to_owned() + "\n" + fence, load.to_owned() + "\n" + &fence.replace("sequentially_consistent", "release")),
        // The group does not meet, or not for all memory.
        (barrier.to_owned(), String::new()),
        (barrier.to_owned(), barrier.replace("global, ", "")),
        (format!("block2:\n{barrier}"), "block2:\n".to_owned()),
        // Accesses between the barriers.
        (barrier.to_owned(), format!("{barrier}    store v1 align 4, v5\n")),
        (load.to_owned(), format!("{load}\n    store v1 align 4, v5")),
        (format!("block2:\n{barrier}"), format!("block2:\n    store v1 align 4, v5\n{barrier}")),
        // Other operations on the counter, or another cell.
        (add.to_owned(), format!("{add}\n    {}", add.replace("v7", "v9"))),
        ("    return\n".to_owned(), format!("    {}\n    return\n", add.replace("v7", "v9"))),
        ("    return\n".to_owned(), "    store v0 align 4 volatile, v4\n    return\n".to_owned()),
        (
            load.to_owned(),
            "v9: pointer(global) = pointer_add v0, v3\n    v10: bv64 = constant 4bv64\n    v11: \
          pointer(global) = pointer_add v0, v10\n    v8: bv32 = load v11 align 4 volatile"
                .to_owned(),
        ),
        // The operation has the scope of the group, or no thread is sure to lead.
        (add.to_owned(), add.replace("device", "group")),
        ("v6: bool = equal v2, v3".to_owned(), "v9: bv64 = query group_id 0\n    v6: bool = equal v2, v9".to_owned()),
        // Nobody adds.
        (add.to_owned(), "v7: bv32 = constant 1bv32".to_owned()),
    ] {
        assert!(!changed(&from, &to), "`{from}` -> `{to}`");
    }
}
