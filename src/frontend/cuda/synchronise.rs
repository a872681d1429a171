//! Barriers and fences.

use lockstep_ir::kernel::{BarrierKind, ConvertOp, GroupOp, Operation, Ordering, Scope, SpaceSet, Type, Value};

use super::warp::truth;
use crate::builder::Builder;
use crate::builtins::call::{Answer, Call};

/// Appends a barrier or a fence.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "__syncthreads" => barrier(call.builder, BarrierKind::Group),
        "__syncthreads_count" => return reduced(call, GroupOp::Count),
        "__syncthreads_and" => return reduced(call, GroupOp::All),
        "__syncthreads_or" => return reduced(call, GroupOp::Any),
        "__syncwarp" => {
            let mask = call.single(0)?;
            barrier(call.builder, BarrierKind::Warp { mask: Some(mask) });
        }
        "__lockstep_library_barrier" => {
            let spaces = SpaceSet::LIBRARY;
            call.builder.append_effect(Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None });
        }
        "__lockstep_grid_sync" => barrier(call.builder, BarrierKind::Grid),
        "__lockstep_cluster_sync" => barrier(call.builder, BarrierKind::Cluster),
        "__threadfence_block" => fence(call.builder, Scope::Group),
        "__threadfence" => fence(call.builder, Scope::Device),
        "__threadfence_system" => fence(call.builder, Scope::System),
        // The first takes time and does nothing else; the others exist for the assumptions that
        // come with them.
        "__nanosleep" | "__lockstep_library_storage" | "__lockstep_partition" => {}
        _ => return Ok(None),
    }
    Ok(Some(Vec::new()))
}

/// A barrier, which orders all memory.
pub fn barrier(builder: &mut Builder<'_>, kind: BarrierKind) {
    builder.append_effect(Operation::Barrier { kind, spaces: SpaceSet::ALL, flags: None });
}

/// A fence, which orders all memory.
pub fn fence(builder: &mut Builder<'_>, scope: Scope) {
    let ordering = Ordering::SequentiallyConsistent;
    builder.append_effect(Operation::Fence { ordering, scope, spaces: SpaceSet::ALL });
}

fn reduced(call: &mut Call, op: GroupOp) -> Answer {
    let predicate = call.single(0)?;
    let &[Type::Bits(width)] = call.result else { return Err(call.ill_typed()) };
    Ok(Some(vec![barrier_with(call.builder, op, predicate, width)]))
}

/// A barrier of the group and the threads' joint result there, as a number of this many bits.
pub fn barrier_with(builder: &mut Builder<'_>, op: GroupOp, predicate: Value, width: u32) -> Value {
    let predicate = truth(builder, predicate);
    barrier(builder, BarrierKind::Group);
    let ty = if op == GroupOp::Count { Type::Bits(width) } else { Type::Bool };
    let result = builder.append(Operation::GroupExchange { op, predicate }, ty);
    builder.convert(ConvertOp::ZeroExtend, result, Type::Bits(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::Bench;

    #[test]
    fn barriers_order_all_memory() {
        let mut bench = Bench::cuda();
        let all = |kind| Operation::Barrier { kind, spaces: SpaceSet::ALL, flags: None };
        bench.call("_Z13__syncthreadsv", &[], &[]);
        assert_eq!(*bench.last(), all(BarrierKind::Group));
        let mask = bench.input(Type::Bits(32));
        bench.call("_Z10__syncwarpj", &[vec![mask]], &[]);
        assert_eq!(*bench.last(), all(BarrierKind::Warp { mask: Some(mask) }));
    }

    #[test]
    fn barriers_of_library_models_order_nothing_else() {
        let mut bench = Bench::cuda();
        bench.call("_Z26__lockstep_library_barrierv", &[], &[]);
        let spaces = SpaceSet::LIBRARY;
        assert_eq!(*bench.last(), Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None });
    }

    #[test]
    fn fences_have_their_scopes() {
        let mut bench = Bench::cuda();
        for (name, expected) in [
            ("_Z19__threadfence_blockv", Scope::Group),
            ("_Z13__threadfencev", Scope::Device),
            ("_Z20__threadfence_systemv", Scope::System),
        ] {
            bench.call(name, &[], &[]);
            assert!(matches!(*bench.last(), Operation::Fence { scope, .. } if scope == expected), "{name}");
        }
    }

    #[test]
    fn counting_barriers_wait_first() {
        let mut bench = Bench::cuda();
        let predicate = bench.input(Type::Bits(32));
        bench.call("_Z19__syncthreads_counti", &[vec![predicate]], &[Type::Bits(32)]);
        let interactions = bench.find(|operation| {
            matches!(operation, Operation::Barrier { .. } | Operation::GroupExchange { op: GroupOp::Count, .. })
        });
        assert!(matches!(interactions[..], [Operation::Barrier { .. }, Operation::GroupExchange { .. }]));
    }
}
