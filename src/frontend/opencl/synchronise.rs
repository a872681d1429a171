//! Barriers and fences.
//!
//! A barrier's scope says between whom it orders memory, not who waits. A scope narrower than the group
//! orders nothing between threads that we could rely on, so such a barrier waits and orders no memory.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    BarrierKind, BinaryOp, Block, Operation, Ordering, Scope, SpaceSet, Target, Terminator, Type,
};

use super::super::builder::Lanes;
use super::Unsupported;
use super::call::{Answer, Call};

/// Appends a barrier or a fence.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "barrier" => barrier(call, false),
        "work_group_barrier" => barrier(call, call.parameters.len() == 2),
        // OpenCL 2.0 defines the fences of 1.x by the orders and the scope given here.
        "mem_fence" => fence(call, Ordering::AcquireRelease),
        "read_mem_fence" => fence(call, Ordering::Acquire),
        "write_mem_fence" => fence(call, Ordering::Release),
        "atomic_work_item_fence" => explicit_fence(call),
        _ => Ok(None),
    }
}

fn barrier(call: &mut Call, scoped: bool) -> Answer {
    call.expect_parameters(if scoped { 2 } else { 1 })?;
    let narrow = if scoped {
        let given = call.constant(1)?;
        let given = given.ok_or_else(|| Unsupported(format!("{} with a scope that is not constant", call.name)))?;
        matches!(scope(&given), Scope::Thread | Scope::Warp)
    } else {
        false
    };
    match flags(call)? {
        None if !narrow => computed_barrier(call)?,
        spaces => {
            let spaces = spaces.filter(|_| !narrow).unwrap_or_default();
            call.builder.append_effect(Operation::Barrier { kind: BarrierKind::Group, spaces });
        }
    }
    Ok(Some(Lanes::new()))
}

/// A barrier whose flags are computed: one barrier for each pair of the flags for local and global memory. All threads
/// must give the same flags; those that do not are at different barriers. The flag for images is not relied on.
fn computed_barrier(call: &mut Call) -> Result<(), Unsupported> {
    let flags = call.single(0)?;
    let builder = &mut *call.builder;
    let Type::Bits(width) = builder.ty(flags) else { return Err(call.ill_typed()) };
    let three = builder.number(width, 3);
    let both = builder.binary(BinaryOp::And, flags, three);
    let before = builder.block;
    let after = builder.kernel.add_block();
    let to = |block: Block| Target { block, arguments: Vec::new() };
    let mut barriers = Vec::new();
    for chosen in 0..4u32 {
        let block = builder.kernel.add_block();
        let spaces = SpaceSet { local: chosen & 1 != 0, global: chosen & 2 != 0, image: false };
        builder.block = block;
        builder.append_effect(Operation::Barrier { kind: BarrierKind::Group, spaces });
        builder.kernel.blocks[block].terminator = Terminator::Jump(to(after));
        builder.kernel.blocks[block].location = builder.location;
        barriers.push((Bits::new(width, chosen), to(block)));
    }
    let default = barriers.pop().map_or_else(|| to(after), |(_, target)| target);
    builder.kernel.blocks[before].terminator = Terminator::Switch { value: both, cases: barriers, default };
    builder.kernel.blocks[before].location = builder.location;
    builder.block = after;
    Ok(())
}

fn fence(call: &mut Call, ordering: Ordering) -> Answer {
    call.expect_parameters(1)?;
    let spaces = flags(call)?.unwrap_or_default();
    call.builder.append_effect(Operation::Fence { ordering, scope: Scope::Group, spaces });
    Ok(Some(Lanes::new()))
}

fn explicit_fence(call: &mut Call) -> Answer {
    call.expect_parameters(3)?;
    let spaces = flags(call)?.unwrap_or_default();
    let ordering = call.constant(1)?.map_or(Ordering::Relaxed, |bits| ordering(&bits));
    let scope = call.constant(2)?.map_or(Scope::Thread, |bits| scope(&bits));
    call.builder.append_effect(Operation::Fence { ordering, scope, spaces });
    Ok(Some(Lanes::new()))
}

/// The first argument, of type `cl_mem_fence_flags`; `None` if it is computed.
fn flags(call: &mut Call) -> Result<Option<SpaceSet>, Unsupported> {
    let Some(flags) = call.constant(0)? else { return Ok(None) };
    match flags.to_u64() {
        Some(flags @ 0..8) => {
            Ok(Some(SpaceSet { local: flags & 1 != 0, global: flags & 2 != 0, image: flags & 4 != 0 }))
        }
        _ => Err(Unsupported(format!("{} with unknown flags", call.name))),
    }
}

/// A constant of type `memory_order`; an unknown one, and `consume`, as the weakest.
pub fn ordering(bits: &Bits) -> Ordering {
    match bits.to_u64() {
        Some(2) => Ordering::Acquire,
        Some(3) => Ordering::Release,
        Some(4) => Ordering::AcquireRelease,
        Some(5) => Ordering::SequentiallyConsistent,
        _ => Ordering::Relaxed,
    }
}

/// A constant of type `memory_scope`; an unknown one as the narrowest.
pub fn scope(bits: &Bits) -> Scope {
    match bits.to_u64() {
        Some(1) => Scope::Group,
        Some(2) => Scope::Device,
        Some(3) => Scope::System,
        Some(4) => Scope::Warp,
        _ => Scope::Thread,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Bench;
    use super::*;

    fn last_after(name: &str, arguments: &[u64]) -> Operation {
        let mut bench = Bench::new();
        let arguments: Vec<Lanes> = arguments.iter().map(|&number| vec![bench.number(32, number)]).collect();
        assert!(bench.call(name, &arguments, &[]).is_empty());
        bench.last().clone()
    }

    fn spaces(local: bool, global: bool, image: bool) -> SpaceSet {
        SpaceSet { local, global, image }
    }

    #[test]
    fn barriers_order_what_their_flags_say() {
        let group = |spaces| Operation::Barrier { kind: BarrierKind::Group, spaces };
        assert_eq!(last_after("_Z7barrierj", &[1]), group(spaces(true, false, false)));
        assert_eq!(last_after("_Z7barrierj", &[2]), group(spaces(false, true, false)));
        assert_eq!(last_after("_Z18work_group_barrierj", &[7]), group(SpaceSet::ALL));
        let scoped = "_Z18work_group_barrierj12memory_scope";
        assert_eq!(last_after(scoped, &[3, 2]), group(spaces(true, true, false)));
        assert_eq!(last_after(scoped, &[3, 0]), group(SpaceSet::default()));
    }

    #[test]
    fn fences() {
        let fence = |ordering, scope, spaces| Operation::Fence { ordering, scope, spaces };
        let local = spaces(true, false, false);
        assert_eq!(last_after("_Z9mem_fencej", &[1]), fence(Ordering::AcquireRelease, Scope::Group, local));
        assert_eq!(last_after("_Z14read_mem_fencej", &[1]), fence(Ordering::Acquire, Scope::Group, local));
        assert_eq!(last_after("_Z15write_mem_fencej", &[1]), fence(Ordering::Release, Scope::Group, local));
        assert_eq!(
            last_after("_Z22atomic_work_item_fencej12memory_order12memory_scope", &[2, 5, 2]),
            fence(Ordering::SequentiallyConsistent, Scope::Device, spaces(false, true, false))
        );
    }

    #[test]
    fn computed_flags_choose_among_barriers() {
        let mut bench = Bench::new();
        let flags = bench.input(Type::Bits(32));
        bench.call("_Z7barrierj", &[vec![flags]], &[]);
        let barriers = bench.find(|operation| matches!(operation, Operation::Barrier { .. }));
        let group = |spaces| Operation::Barrier { kind: BarrierKind::Group, spaces };
        let each = [(false, false), (true, false), (false, true), (true, true)];
        assert_eq!(barriers, each.map(|(local, global)| group(spaces(local, global, false))));
        let Terminator::Switch { cases, .. } = &bench.kernel.blocks[bench.kernel.entry].terminator else {
            panic!("a switch")
        };
        let constants: Vec<u64> = cases.iter().filter_map(|(constant, _)| constant.to_u64()).collect();
        assert_eq!(constants, [0, 1, 2]);
    }

    #[test]
    fn a_scope_narrower_than_the_group_needs_no_flags() {
        let mut bench = Bench::new();
        let flags = bench.input(Type::Bits(32));
        let scope = bench.number(32, 0);
        bench.call("_Z18work_group_barrierj12memory_scope", &[vec![flags], vec![scope]], &[]);
        assert_eq!(*bench.last(), Operation::Barrier { kind: BarrierKind::Group, spaces: SpaceSet::default() });
    }
}
