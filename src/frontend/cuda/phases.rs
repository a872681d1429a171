//! Barriers in shared memory (`mbarrier`): the functions that the headers of this project call, and
//! the intrinsics of LLVM.
//!
//! PTX ISA, "Parallel synchronization and communication instructions: mbarrier": an object counts
//! arrivals, and a phase completes with the last one. An arrival releases and a wait acquires what
//! the threads of the block have done.

use lockstep_ir::kernel::{ConvertOp, Operation, PhaseOp, Type, Value};

use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};

/// Appends an operation on a phase object; the operand is the count, the token or the parity.
pub fn operate(builder: &mut Builder<'_>, op: PhaseOp, object: Value, operand: Option<Value>) -> Option<Value> {
    let operation = Operation::Phase { op, object, operands: operand.into_iter().collect() };
    match op {
        PhaseOp::Arrive => Some(builder.append(operation, Type::Bits(64))),
        PhaseOp::Test | PhaseOp::TestParity => Some(builder.append(operation, Type::Bool)),
        PhaseOp::Initialise | PhaseOp::Wait | PhaseOp::WaitParity | PhaseOp::ArriveOnCopy => {
            builder.append_effect(operation);
            None
        }
    }
}

/// Appends the functions that the headers of this project call.
///
/// * `__lockstep_mbarrier_init(object, count)`;
/// * `__lockstep_mbarrier_arrive(object, count)`: so many arrivals; the result is a token;
/// * `__lockstep_mbarrier_wait(object, token)`, `__lockstep_mbarrier_test(object, token)`;
/// * `__lockstep_mbarrier_wait_parity(object, parity)`, `__lockstep_mbarrier_test_parity(object,
///   parity)`.
pub fn expand(call: &mut Call) -> Answer {
    let Some(name) = call.name.strip_prefix("__lockstep_mbarrier_") else { return Ok(None) };
    let (op, width) = match name {
        // No count is cut off: one that is too large is an error.
        "init" => (PhaseOp::Initialise, 64),
        "arrive" => (PhaseOp::Arrive, 64),
        "wait" => (PhaseOp::Wait, 64),
        "test" => (PhaseOp::Test, 64),
        "wait_parity" => (PhaseOp::WaitParity, 32),
        "test_parity" => (PhaseOp::TestParity, 32),
        _ => return Ok(None),
    };
    let (object, operand) = (call.single(0)?, call.single(1)?);
    let operand = call.builder.resized(operand, width, ConvertOp::ZeroExtend);
    Ok(Some(operate(call.builder, op, object, Some(operand)).into_iter().collect()))
}

/// Appends the meaning of an intrinsic `llvm.nvvm.mbarrier.<name>`.
pub fn intrinsic(builder: &mut Builder<'_>, name: &str, operands: &[Value]) -> Answer {
    let name = name.strip_suffix(".shared").unwrap_or(name);
    let result = match (name, operands) {
        ("init", &[object, count]) => operate(builder, PhaseOp::Initialise, object, Some(count)),
        ("arrive", &[object]) => operate(builder, PhaseOp::Arrive, object, None),
        ("test.wait", &[object, token]) => operate(builder, PhaseOp::Test, object, Some(token)),
        _ => return Err(Unsupported(format!("mbarrier.{name}"))),
    };
    Ok(Some(result.into_iter().collect::<Lanes>()))
}
