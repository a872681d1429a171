//! Barriers and fences.
//!
//! A barrier's scope tells between which threads it orders memory, not which threads wait. A scope
//! narrower than the group orders nothing between threads that the proof could rely on, so such a
//! barrier waits and orders no memory.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BarrierKind, Operation, Ordering, Scope, SpaceSet};

use super::super::builder::Lanes;
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};

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
    let (mut spaces, mut flags) = match call.constant(0)? {
        Some(_) => (flags(call)?, None),
        None => (SpaceSet::ALL, Some(call.single(0)?)),
    };
    if scoped {
        let given = call.constant(1)?;
        let given = given.ok_or_else(|| Unsupported(format!("{} with a scope that is not constant", call.name)))?;
        if matches!(scope(&given), Scope::Thread | Scope::Warp) {
            spaces = SpaceSet::NONE;
            flags = None;
        }
    }
    call.builder.append_effect(Operation::Barrier { kind: BarrierKind::Group, spaces, flags });
    Ok(Some(Lanes::new()))
}

fn fence(call: &mut Call, ordering: Ordering) -> Answer {
    call.expect_parameters(1)?;
    let spaces = flags(call)?;
    call.builder.append_effect(Operation::Fence { ordering, scope: Scope::Group, spaces });
    Ok(Some(Lanes::new()))
}

fn explicit_fence(call: &mut Call) -> Answer {
    call.expect_parameters(3)?;
    let spaces = flags(call)?;
    let ordering = call.constant(1)?.map_or(Ordering::Relaxed, |bits| ordering(&bits));
    let scope = call.constant(2)?.map_or(Scope::Thread, |bits| scope(&bits));
    call.builder.append_effect(Operation::Fence { ordering, scope, spaces });
    Ok(Some(Lanes::new()))
}

/// The first argument, of type `cl_mem_fence_flags`; a computed one may name no memory.
fn flags(call: &mut Call) -> Result<SpaceSet, Unsupported> {
    let Some(flags) = call.constant(0)? else { return Ok(SpaceSet::NONE) };
    match flags.to_u64() {
        Some(flags @ 0..8) => {
            Ok(SpaceSet { local: flags & 1 != 0, global: flags & 2 != 0, image: flags & 4 != 0, ..SpaceSet::NONE })
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
    use lockstep_ir::kernel::Type;

    use super::*;
    use crate::builtins::testing::Bench;

    fn last_after(name: &str, arguments: &[u64]) -> Operation {
        let mut bench = Bench::opencl();
        let arguments: Vec<Lanes> = arguments.iter().map(|&number| vec![bench.number(32, number)]).collect();
        assert!(bench.call(name, &arguments, &[]).is_empty());
        bench.last().clone()
    }

    fn spaces(local: bool, global: bool, image: bool) -> SpaceSet {
        SpaceSet { local, global, image, ..SpaceSet::NONE }
    }

    #[test]
    fn barriers_order_what_their_flags_say() {
        let group = |spaces| Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None };
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
    fn computed_flags() {
        let mut bench = Bench::opencl();
        let given = bench.input(Type::Bits(32));
        bench.call("_Z7barrierj", &[vec![given]], &[]);
        assert_eq!(
            *bench.last(),
            Operation::Barrier { kind: BarrierKind::Group, spaces: SpaceSet::ALL, flags: Some(given) }
        );
        bench.call("_Z9mem_fencej", &[vec![given]], &[]);
        let Operation::Fence { spaces, .. } = *bench.last() else { panic!("a fence") };
        assert_eq!(spaces, SpaceSet::NONE);
    }
}
