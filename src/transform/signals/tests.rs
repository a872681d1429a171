//! Plans for small kernels.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{parse, verify};
use lockstep_options::launch::{Extent, Launch};

use super::grids::{GridBarriers, with_grid_barriers};
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
    meets_behind(HEAD, body)
}

fn meets_behind(head: &str, body: &str) -> bool {
    barriers(head, body).is_some()
}

/// The kernel with these barriers of the launch.
fn barriers(head: &str, body: &str) -> Option<GridBarriers> {
    let kernel = parse(&format!("{head}{body}")).expect("the kernel is well formed");
    let kernel = verify(kernel).expect("the kernel keeps the rules");
    let launch = Launch { local_size: [64, 1, 1].map(Extent::Known), ..Launch::default() };
    with_grid_barriers(&kernel, &launch)
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

/// A barrier of the launch at which the last leader sets the counter back and turns a flag.
const TURNS: &str = "    v10: bv64 = constant 4bv64
    v11: pointer(global) = pointer_add v0, v10
    store v1 align 4, v5
    barrier group {local, global, image}
    v6: bool = equal v2, v3
    branch v6, block1, block5

block1:
    fence sequentially_consistent device {local, global, image}
    v7: bv32 = atomic add relaxed device v0 align 4 (v5)
    v20: bv64 = query num_groups 0
    v21: bv32 = truncate v20
    v22: bv32 = subtract v21, v5
    v23: bool = equal v7, v22
    branch v23, block2, block3

block2:
    store v0 align 4, v4
    fence acquire_release device {local, global, image}
    store v11 align 4 volatile, v5
    jump block4

block3:
    v8: bv32 = load v11 align 4 volatile
    jump block4

block4:
    fence sequentially_consistent device {local, global, image}
    jump block5

block5:
    barrier group {local, global, image}
    store v1 align 4, v4
    return
";

#[test]
fn a_flag_that_the_last_one_turns_makes_a_barrier_of_the_launch() {
    let changed = |from: &str, to: &str| {
        assert!(TURNS.contains(from), "{from}");
        meets(&TURNS.replacen(from, to, 1))
    };
    assert!(meets(TURNS));
    let fence = "    fence sequentially_consistent device {local, global, image}\n";
    let (add, handing) = (
        "v7: bv32 = atomic add relaxed device v0 align 4 (v5)",
        "    fence acquire_release device {local, global, image}\n",
    );
    let (reset, turn) = ("    store v0 align 4, v4\n", "    store v11 align 4 volatile, v5\n");
    let load = "    v8: bv32 = load v11 align 4 volatile\n";
    // The counter may wrap by itself, and operations may order by themselves.
    assert!(changed(
        &format!("    {add}\n"),
        "    v30: bv64 = query num_groups 0\n    v31: bv32 = truncate v30\n    v32: bv32 = subtract v31, v5\n    \
         v7: bv32 = atomic increment relaxed device v0 align 4 (v32)\n",
    ));
    assert!(changed(&format!("{fence}    {add}"), &format!("    {}", add.replace("relaxed", "acquire_release"))));
    assert!(changed(turn, "    v9: bv32 = atomic add relaxed device v11 align 4 (v5)\n"));
    for (from, to) in [
        // A leader does not release, or does not acquire.
        (format!("{fence}    {add}"), format!("    {add}")),
        (format!("block4:\n{fence}"), "block4:\n".to_owned()),
        // The last one does not hand on what it has acquired, or not all of it.
        (handing.to_owned(), String::new()),
        (handing.to_owned(), handing.replace("acquire_release", "acquire")),
        (handing.to_owned(), handing.replace("acquire_release", "release")),
        (handing.to_owned(), handing.replace("device", "group")),
        // It sets the counter back too late, not at all, or to another number.
        (format!("{reset}{handing}"), format!("{handing}{reset}")),
        (format!("{handing}{turn}"), format!("{handing}{turn}{reset}")),
        (reset.to_owned(), String::new()),
        (reset.to_owned(), reset.replace("v4", "v5")),
        // It turns the flag twice, by a plain store, or before the addition.
        (turn.to_owned(), format!("{turn}{turn}")),
        (turn.to_owned(), turn.replace(" volatile", "")),
        (format!("{fence}    {add}"), format!("{fence}{turn}    {add}")),
        // Two additions, or none that returns what it has drawn.
        (format!("    {add}\n"), format!("    {add}\n    {}\n", add.replace("v7", "v9"))),
        // It has acquired from the flag, and not from those who have counted.
        (
            format!("{reset}{handing}"),
            format!(
                "    v9: bv32 = atomic load acquire device v11 align 4 ()\n{reset}{}",
                handing.replace("acquire_", "")
            ),
        ),
        // Nobody waits, or nobody turns the flag.
        (load.to_owned(), String::new()),
        (turn.to_owned(), String::new()),
        // Who waits reads the counter, which the store that sets it back races with.
        (load.to_owned(), format!("{}{load}", load.replace("v8", "v9").replace("v11", "v0"))),
        // Somebody else uses the flag.
        ("    return\n".to_owned(), format!("{}    return\n", load.replace("v8", "v9"))),
    ] {
        assert!(!changed(&from, &to), "`{from}` -> `{to}`");
    }
}

/// A flag that each leader reads before it counts may hold anything at first.
#[test]
fn flags_are_unset_unless_they_are_read_before() {
    let head = HEAD
        .replace(
            "\nparameter \"signal\"",
            "\narr2 = global parameter \"flag\" element \"int\" 4 volatile\nparameter \"signal\"",
        )
        .replace("pointer arr1\n", "pointer arr1\nparameter \"flag\" pointer arr2\n");
    let apart = TURNS.replace("v11: pointer(global) = pointer_add v0, v10", "v11: pointer(global) = array_base arr2");
    let add = "    v7: bv32 = atomic add relaxed device v0 align 4 (v5)\n";
    let fence = "    fence sequentially_consistent device {local, global, image}\n";
    let read = "    v9: bv32 = load v11 align 4 volatile\n";
    let unset = |body: &str| {
        let found = barriers(&head, body).expect("there is a barrier");
        found.arrays.values().map(|listed| listed.unset).collect::<Vec<bool>>()
    };
    assert_eq!(unset(&apart), [true, true]);
    let with_read = |from: &str, to: &str| apart.replacen(from, to, 1);
    assert_eq!(unset(&with_read(&format!("{fence}{add}"), &format!("{read}{fence}{add}"))), [true, false]);
    // The last one may turn the flag before a read that no release follows.
    assert_eq!(unset(&with_read(&format!("{fence}{add}"), &format!("{fence}{read}{add}"))), [true, true]);
}

/// C11 orders an addition with an ordinary store only if it releases by itself.
#[test]
fn an_ordinary_store_sets_a_counter_back_in_cuda_only() {
    let reset = "store v0 align 4, v4";
    let strong = TURNS
        .replace("v8: bv32 = load v11 align 4 volatile", "v8: bv32 = atomic load relaxed device v11 align 4 ()")
        .replace("store v11 align 4 volatile, v5", "atomic store relaxed device v11 align 4 (v5)");
    let atomic = strong.replace(reset, "atomic store relaxed device v0 align 4 (v4)");
    let head = HEAD.replace(" volatile", "");
    let other = head.replace("\"k\" cuda", "\"k\" hip");
    assert_ne!(head, other);
    assert!(meets_behind(&head, &strong) && meets_behind(&head, &atomic));
    assert!(!meets_behind(&other, &strong) && meets_behind(&other, &atomic));
}

/// A release by patterns on one way and an order by fences of all threads on the other one are no
/// barrier together.
#[test]
fn leaders_order_in_the_same_manner() {
    let body = |first: &str, second: &str| {
        let total = "    fence sequentially_consistent device {local, global, image}\n";
        let way = |before: &str, behind: &str, value: u32, read: u32| {
            format!(
                "{before}    v{value}: bv32 = atomic add relaxed device v0 align 4 (v5)\n    v{read}: bv32 = load v0 \
                 align 4 volatile\n{behind}    jump block4\n\n"
            )
        };
        format!(
            "    store v1 align 4, v5\n{total}    barrier group {{local, global, image}}\n    v6: bool = equal v2, \
             v3\n    branch v6, block1, block4\n\nblock1:\n    v10: bv64 = query group_id 0\n    v11: bool = equal \
             v10, v3\n    branch v11, block2, block3\n\nblock2:\n{}block3:\n{}block4:\n    barrier group {{local, \
             global, image}}\n    store v1 align 4, v4\n    return\n",
            way(first, first, 20, 21),
            way(second, total, 22, 23)
        )
    };
    let pattern = "    fence acquire_release device {local, global, image}\n";
    let total = "    fence sequentially_consistent device {local, global, image}\n";
    // All by patterns; all by fences; the first by patterns alone and the second by fences alone.
    assert!(meets(&body(pattern, total)));
    assert!(meets(&body(total, "")));
    assert!(!meets(&body(pattern, "")));
}
