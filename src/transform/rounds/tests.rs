//! Plans for kernels of two warps with two barriers, or with a ring of phase objects.

use lockstep_ir::kernel::{Kernel, parse};
use lockstep_options::launch::{Extent, Launch};

use super::{Barriers, Maker, Rounds};

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

/// The plan for two warps that hand over two buffers: the first one waits for the parity `first` at
/// its start, and the objects are for so many arrivals.
fn plan_of_objects(first: u32, arrivals: u32) -> Rounds {
    let kernel: Kernel = parse(&format!(
        "kernel \"k\" cuda pointers 64
arr0 = local variable \"full\" size 16
arr1 = local variable \"empty\" size 16
parameter \"n\" scalar bv32
entry block0

block0:
    v0: bv64 = query local_id 0
    v1: bv64 = constant 32bv64
    v2: bv64 = constant 0bv64
    v3: bv64 = constant 8bv64
    v4: bv32 = constant {arrivals}bv32
    v5: pointer(local) = array_base arr0
    v6: pointer(local) = pointer_add v5, v3
    v7: pointer(local) = array_base arr1
    v8: pointer(local) = pointer_add v7, v3
    v9: bv32 = parameter 0
    v10: bv32 = constant 0bv32
    v11: bv32 = constant 1bv32
    v12: bv32 = constant {first}bv32
    v13: bool = equal v0, v2
    branch v13, block1, block2

block1:
    phase initialise v5 (v4)
    phase initialise v6 (v4)
    phase initialise v7 (v4)
    phase initialise v8 (v4)
    jump block2

block2:
    barrier group {{local, global, image}}
    v14: bool = unsigned_less v0, v1
    v15: bv32 = select v14, v12, v10
    jump block3(v10, v2, v15)

block3(v16: bv32, v17: bv64, v18: bv32):
    v19: bool = unsigned_less v16, v9
    branch v19, block4, block7

block4:
    v20: pointer(local) = pointer_add v5, v17
    v21: pointer(local) = pointer_add v7, v17
    branch v14, block5, block6

block5:
    phase wait_parity v21 (v18)
    v22: bv64 = phase arrive v20 ()
    jump block8

block6:
    phase wait_parity v20 (v18)
    v23: bv64 = phase arrive v21 ()
    jump block8

block7:
    return

block8:
    v24: bv32 = add v16, v11
    v25: bv64 = xor v17, v3
    v26: bool = equal v25, v2
    v27: bv32 = xor v18, v11
    v28: bv32 = select v26, v27, v18
    jump block3(v24, v25, v28)
"
    ))
    .expect("the kernel is well formed");
    let launch = Launch { local_size: [Extent::Known(64), Extent::Known(1), Extent::Known(1)], ..Launch::default() };
    Rounds::of(&kernel, &launch, 32).expect("nothing is refused").expect("there are phase objects")
}

#[test]
fn objects_used_in_turn_are_a_ring() {
    let rounds = plan_of_objects(1, 32);
    let [full, empty, group] = rounds.rings.as_slice() else { panic!("there are three rings") };
    assert_eq!((full.size, empty.size, group.barriers), (2, 2, Barriers::Group));
    assert!(rounds.disordered.is_empty() && rounds.miscounted.is_empty() && rounds.circle.is_empty());
    let objects = [full, empty].map(|ring| ring.objects.expect("they are phase objects"));
    assert_eq!(objects.map(|objects| objects.before), [0, 2]);
    assert!(objects.iter().all(|objects| objects.maker == Maker::One(0) && objects.rounds.is_none()));
    // Who knows a round of `empty` knows as many of `full`; the reverse lags behind by the buffers.
    assert_eq!((rounds.known[0][1], rounds.known[1][0]), (Some(0), Some(-2)));
}

#[test]
fn a_wait_for_the_other_parity_is_a_circle() {
    assert_eq!(plan_of_objects(0, 32).circle.len(), 2);
}

#[test]
fn objects_for_more_arrivals_than_come_are_miscounted() {
    assert_eq!(plan_of_objects(1, 33).miscounted.len(), 2);
}
