//! Plans for kernels of two warps with two barriers.

use lockstep_ir::kernel::{Kernel, parse};
use lockstep_options::launch::{Extent, Launch};

use super::Rounds;

/// The plan for a kernel whose first warp executes `first`, and whose second one `second`.
fn plan(first: &str, second: &str) -> Rounds {
    let kernel: Kernel = parse(&format!(
        "kernel \"k\" cuda pointers 64
entry block0

block0:
    v0: bv64 = query local_id 0
    v1: bv64 = constant 32bv64
    v2: bool = unsigned_less v0, v1
    v3: bv32 = constant 1bv32
    v4: bv32 = constant 2bv32
    v5: bv32 = constant 64bv32
    branch v2, block1, block2

block1:
{first}    return

block2:
{second}    return
"
    ))
    .expect("the kernel is well formed");
    let launch = Launch { local_size: [Extent::Known(64), Extent::Known(1), Extent::Known(1)], ..Launch::default() };
    Rounds::of(&kernel, &launch, 32).expect("nothing is refused").expect("there are named barriers")
}

fn operation(what: &str, barrier: u32) -> String {
    let number = if barrier == 1 { "v3" } else { "v4" };
    format!("    barrier {what} {number} count v5 {{local, global, image}}\n")
}

#[test]
fn barriers_in_the_same_order_are_no_circle() {
    let both = operation("named", 1) + &operation("named", 2);
    let rounds = plan(&both, &both);
    assert_eq!(rounds.rings.len(), 2);
    assert!(rounds.rings.iter().all(|ring| ring.all_wait && ring.members.len() == 2));
    assert!(rounds.circle.is_empty() && rounds.miscounted.is_empty() && rounds.disordered.is_empty());
    // A round of the second barrier begins when one of the first is complete, and not the reverse.
    assert_eq!((rounds.known[0][1], rounds.known[1][0]), (Some(0), Some(-1)));
}

#[test]
fn barriers_in_opposite_orders_are_a_circle() {
    let [one, other] = [[1, 2], [2, 1]].map(|order| order.map(|barrier| operation("named", barrier)).concat());
    let rounds = plan(&one, &other);
    assert_eq!(rounds.circle.len(), 2);
}

#[test]
fn an_arrival_breaks_the_circle() {
    let first = operation("arrive", 1) + &operation("named", 2);
    let second = operation("arrive", 2) + &operation("named", 1);
    let rounds = plan(&first, &second);
    assert!(rounds.circle.is_empty());
    assert!(rounds.rings.iter().all(|ring| ring.waiting.len() == 1 && ring.arriving.len() == 1));
}

#[test]
fn a_warp_that_does_not_come_is_missed() {
    let rounds = plan(&operation("named", 1), "");
    assert_eq!(rounds.miscounted.len(), 1);
}
