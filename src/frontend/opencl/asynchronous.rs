//! Asynchronous copies between global and local memory.
//!
//! All threads of a group start a copy together, once. An event has the size of a pointer; the null
//! event is the constant zero.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    AsyncGroup, AsyncWait, Block, CompareOp, Operation, Space, StridedSide, Target, Terminator, Value,
};

use super::super::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::memory;

/// More events than a program waits for at once, which bounds the size of a wait.
const MOST_EVENTS: u64 = 1024;

/// Appends a copy or a wait.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "async_work_group_copy" => copy(call, false),
        "async_work_group_strided_copy" => copy(call, true),
        "wait_group_events" => wait(call),
        // It has no effect that a program can observe.
        "prefetch" => Ok(Some(Lanes::new())),
        _ => Ok(None),
    }
}

/// `(to, from, count, [stride,] event)`
fn copy(call: &mut Call, strided: bool) -> Answer {
    call.expect_parameters(if strided { 5 } else { 4 })?;
    let (Some((to_space, to)), Some((_, from))) = (call.parameter(0)?.pointee(), call.parameter(1)?.pointee()) else {
        return Err(call.ill_typed());
    };
    let bytes = to.bytes().filter(|_| to == from).ok_or_else(|| call.ill_typed())?;
    // The stride applies to the global side.
    let side = match to_space {
        Space::Local => StridedSide::From,
        Space::Global => StridedSide::To,
        Space::Private | Space::Constant | Space::Generic => return Err(call.ill_typed()),
    };
    let (to, from) = (call.single(0)?, call.single(1)?);
    let count = size(call, 2)?;
    let stride = if strided { Some((side, size(call, 3)?)) } else { None };
    let event = size(call, if strided { 4 } else { 3 })?;
    let joins = !call.builder.kernel.constant(event).is_some_and(Bits::is_zero);
    let operation = Operation::AsyncCopy {
        group: AsyncGroup::Group,
        to: memory::access(to, bytes),
        from: memory::access(from, bytes),
        count,
        element_bytes: bytes,
        stride,
        event: joins.then_some(event),
    };
    let ty = call.builder.kernel.offset_type();
    Ok(Some(vec![call.builder.append(operation, ty)]))
}

/// An argument with as many bits as a pointer.
fn size(call: &Call, index: usize) -> Result<Value, Unsupported> {
    let value = call.single(index)?;
    if call.builder.ty(value) == call.builder.kernel.offset_type() { Ok(value) } else { Err(call.ill_typed()) }
}

/// `(count, events)`
fn wait(call: &mut Call) -> Answer {
    call.expect_parameters(2)?;
    let list = call.single(1)?;
    let (most, count) = match call.constant(0)? {
        Some(count) if count.sign() => (0, None),
        Some(count) => (count.to_u64().unwrap_or(u64::MAX), None),
        None => (most_events(call, list)?, Some(call.single(0)?)),
    };
    if most > MOST_EVENTS {
        return Err(Unsupported(format!("wait_group_events for more than {MOST_EVENTS} events")));
    }
    if call.parameter(1)?.pointee().and_then(|(_, pointee)| pointee.opaque()) != Some("ocl_event") {
        return Err(call.ill_typed());
    }
    let width = call.builder.kernel.pointer_bits;
    let mut events = Vec::new();
    for index in 0..most {
        let number = call.builder.number(width, index);
        let pointer = memory::element(call.builder, list, number, width / 8);
        events.push(match count {
            Some(count) => event_if_counted(call, index, count, pointer)?,
            None => event(call, pointer)?,
        });
    }
    call.builder.append_effect(Operation::AsyncWait(AsyncWait::Events(events)));
    Ok(Some(Lanes::new()))
}

/// The most events in a list whose array is known.
///
/// A computed number of events is no greater, or the wait would read beyond the array.
fn most_events(call: &Call, list: Value) -> Result<u64, Unsupported> {
    let bytes = u64::from(call.builder.kernel.pointer_bits / 8);
    let mut pointer = list;
    loop {
        match call.builder.kernel.operation(pointer) {
            Some(Operation::SpaceCast(from)) => pointer = *from,
            Some(Operation::PointerAdd { pointer: from, .. }) => pointer = *from,
            Some(Operation::ArrayBase(array)) => {
                if let Some(size) = call.builder.kernel.arrays[*array].size {
                    return Ok(size / bytes);
                }
                break;
            }
            _ => break,
        }
    }
    Err(Unsupported("wait_group_events for a number of events that is not constant".into()))
}

/// The event at an address.
fn event(call: &mut Call, pointer: Value) -> Result<Value, Unsupported> {
    let ty = call.builder.kernel.offset_type();
    let lanes = call.load(pointer, call.builder.kernel.pointer_bits / 8, &[ty])?;
    lanes.first().copied().ok_or_else(|| call.ill_typed())
}

/// The event at an address if the wait includes it, else the null event, for which nothing waits.
///
/// The address is inspected only if it counts: the list may begin anywhere in its array.
fn event_if_counted(call: &mut Call, index: u64, count: Value, pointer: Value) -> Result<Value, Unsupported> {
    let (width, ty) = (call.builder.kernel.pointer_bits, call.builder.kernel.offset_type());
    let null = call.builder.number(width, 0);
    let count_width = call.builder.ty(count).width().ok_or_else(|| call.ill_typed())?;
    let number = call.builder.number(count_width, index);
    let condition = call.builder.compare(CompareOp::SignedLess, number, count);
    let (before, counted) = (call.builder.block, call.builder.kernel.add_block());
    let after = call.builder.kernel.add_block();
    let either = call.builder.kernel.add_parameter(after, ty, None);
    let target = |block, arguments| Target { block, arguments };
    end(
        call.builder,
        before,
        Terminator::Branch { condition, then: target(counted, Vec::new()), otherwise: target(after, vec![null]) },
    );
    call.builder.block = counted;
    let found = event(call, pointer)?;
    end(call.builder, counted, Terminator::Jump(target(after, vec![found])));
    call.builder.block = after;
    Ok(either)
}

fn end(builder: &mut Builder<'_>, block: Block, terminator: Terminator) {
    let location = builder.location;
    let data = &mut builder.kernel.blocks[block];
    data.terminator = terminator;
    data.location = location;
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::Type;

    use super::*;
    use crate::builtins::testing::Bench;

    const SIZE: Type = Type::Bits(64);

    #[test]
    fn a_copy_to_local_memory_with_a_new_event() {
        let mut bench = Bench::opencl();
        let (to, from) = (bench.pointer(Space::Local), bench.pointer(Space::Global));
        let (count, null) = (bench.input(SIZE), bench.number(64, 0));
        let arguments = [to, from, count, null].map(|value| vec![value]);
        // An element of three lanes occupies the space of four.
        bench.call("_Z21async_work_group_copyPU3AS3Dv3_fPU3AS1KS_m9ocl_event", &arguments, &[SIZE]);
        let Operation::AsyncCopy { element_bytes, stride, event, .. } = bench.last() else { panic!("a copy") };
        assert_eq!((*element_bytes, *stride, *event), (16, None, None));
    }

    #[test]
    fn the_global_side_is_strided() {
        for (name, spaces, side) in [
            (
                "_Z29async_work_group_strided_copyPU3AS1iPU3AS3Kimm9ocl_event",
                [Space::Global, Space::Local],
                StridedSide::To,
            ),
            (
                "_Z29async_work_group_strided_copyPU3AS3iPU3AS1Kimm9ocl_event",
                [Space::Local, Space::Global],
                StridedSide::From,
            ),
        ] {
            let mut bench = Bench::opencl();
            let [to, from] = spaces.map(|space| bench.pointer(space));
            let x = bench.inputs(SIZE, 3);
            let arguments = [to, from, x[0], x[1], x[2]].map(|value| vec![value]);
            bench.call(name, &arguments, &[SIZE]);
            let Operation::AsyncCopy { count, stride, event, .. } = bench.last() else { panic!("a copy") };
            assert_eq!((*count, *stride, *event), (x[0], Some((side, x[1])), Some(x[2])));
        }
    }

    #[test]
    fn a_wait_reads_each_event() {
        let mut bench = Bench::opencl();
        let list = bench.pointer(Space::Generic);
        let two = bench.number(32, 2);
        let name = "_Z17wait_group_eventsiPU3AS49ocl_event";
        bench.call(name, &[vec![two], vec![list]], &[]);
        let Operation::AsyncWait(AsyncWait::Events(events)) = bench.last().clone() else { panic!("a wait") };
        let offsets: Vec<u128> = events
            .iter()
            .map(|&event| match bench.operation(event) {
                Operation::Load(access) => bench.offset(&[], access.pointer),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(offsets, [0, 8]);
        let count = bench.input(Type::Bits(32));
        assert!(bench.try_call(name, &[vec![count], vec![list]], &[]).is_err());
    }
}
