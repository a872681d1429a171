//! Work-item functions: a thread's identity, and the sizes of the launch.
//!
//! `get_enqueued_local_size` equals `get_local_size`, because global sizes are multiples of group
//! sizes.

use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, ThreadQuery, Type, Value};

use super::super::builder::Builder;
use crate::builtins::call::{Answer, Call};

/// Appends a work-item function.
pub fn expand(call: &mut Call) -> Answer {
    let value = match call.name {
        "get_work_dim" => dimensions(call),
        "get_global_id" => return by_dimension(call, ThreadQuery::GlobalId, 0),
        "get_local_id" => return by_dimension(call, ThreadQuery::LocalId, 0),
        "get_group_id" => return by_dimension(call, ThreadQuery::GroupId, 0),
        "get_global_offset" => return by_dimension(call, ThreadQuery::GlobalOffset, 0),
        "get_global_size" => return by_dimension(call, ThreadQuery::GlobalSize, 1),
        "get_local_size" | "get_enqueued_local_size" => return by_dimension(call, ThreadQuery::LocalSize, 1),
        "get_num_groups" => return by_dimension(call, ThreadQuery::NumGroups, 1),
        "get_global_linear_id" => linear(call.builder, global_id_without_offset, ThreadQuery::GlobalSize),
        "get_local_linear_id" => {
            linear(call.builder, |builder, d| query(builder, ThreadQuery::LocalId(d)), ThreadQuery::LocalSize)
        }
        _ => return Ok(None),
    };
    call.expect_parameters(0)?;
    Ok(Some(vec![value]))
}

fn query(builder: &mut Builder<'_>, query: ThreadQuery) -> Value {
    let ty = builder.kernel.offset_type();
    builder.append(Operation::ThreadQuery(query), ty)
}

fn dimensions(call: &mut Call) -> Value {
    let dimensions = query(call.builder, ThreadQuery::Dimensions);
    call.builder.convert(ConvertOp::Truncate, dimensions, Type::Bits(32))
}

/// A query for the dimension that the argument names; `beyond` for dimensions that no launch has.
fn by_dimension(call: &mut Call, of: fn(u8) -> ThreadQuery, beyond: u64) -> Answer {
    call.expect_parameters(1)?;
    let width = call.builder.kernel.pointer_bits;
    if let Some(dimension) = call.constant(0)? {
        let value = match dimension.to_u64() {
            Some(0) => query(call.builder, of(0)),
            Some(1) => query(call.builder, of(1)),
            Some(2) => query(call.builder, of(2)),
            _ => call.builder.number(width, beyond),
        };
        return Ok(Some(vec![value]));
    }
    let dimension = call.single(0)?;
    let Type::Bits(dimension_width) = call.builder.ty(dimension) else {
        return Err(call.ill_typed());
    };
    let mut value = call.builder.number(width, beyond);
    for candidate in (0..3u8).rev() {
        let number = call.builder.number(dimension_width, u64::from(candidate));
        let chosen = call.builder.compare(CompareOp::Equal, dimension, number);
        let answer = query(call.builder, of(candidate));
        value = call.builder.select(chosen, answer, value);
    }
    Ok(Some(vec![value]))
}

fn global_id_without_offset(builder: &mut Builder<'_>, dimension: u8) -> Value {
    let id = query(builder, ThreadQuery::GlobalId(dimension));
    let offset = query(builder, ThreadQuery::GlobalOffset(dimension));
    builder.binary(BinaryOp::Subtract, id, offset)
}

/// `(id(2) * size(1) + id(1)) * size(0) + id(0)`. Dimensions that a launch does not have are of
/// size 1.
fn linear(builder: &mut Builder<'_>, id: fn(&mut Builder<'_>, u8) -> Value, size: fn(u8) -> ThreadQuery) -> Value {
    let mut index = id(builder, 2);
    for dimension in [1, 0] {
        let size = query(builder, size(dimension));
        let scaled = builder.binary(BinaryOp::Multiply, index, size);
        let id = id(builder, dimension);
        index = builder.binary(BinaryOp::Add, scaled, id);
    }
    index
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;

    use super::*;
    use crate::builtins::testing::Bench;

    const SIZE: Type = Type::Bits(64);

    #[test]
    fn a_constant_dimension_is_one_query() {
        let mut bench = Bench::opencl();
        let two = bench.number(32, 2);
        let lanes = bench.call("_Z12get_local_idj", &[vec![two]], &[SIZE]);
        assert_eq!(bench.kernel.operation(lanes[0]), Some(&Operation::ThreadQuery(ThreadQuery::LocalId(2))));
    }

    #[test]
    fn dimensions_that_do_not_exist() {
        let mut bench = Bench::opencl();
        let dimension = bench.number(32, 3);
        for (name, expected) in [
            ("_Z13get_global_idj", 0),
            ("_Z12get_local_idj", 0),
            ("_Z12get_group_idj", 0),
            ("_Z17get_global_offsetj", 0),
            ("_Z15get_global_sizej", 1),
            ("_Z14get_local_sizej", 1),
            ("_Z23get_enqueued_local_sizej", 1),
            ("_Z14get_num_groupsj", 1),
        ] {
            let lanes = bench.call(name, &[vec![dimension]], &[SIZE]);
            assert_eq!(bench.kernel.constant(lanes[0]).and_then(Bits::to_u64), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_computed_dimension_selects_among_the_queries() {
        let mut bench = Bench::opencl();
        let dimension = bench.input(Type::Bits(32));
        let lanes = bench.call("_Z14get_local_sizej", &[vec![dimension]], &[SIZE]);
        let queries = |q| match q {
            ThreadQuery::LocalSize(d) => 100 + u128::from(d),
            other => panic!("{other:?}"),
        };
        for (dimension, expected) in [(0, 100), (1, 101), (2, 102), (3, 1), (u128::from(u32::MAX), 1)] {
            assert_eq!(bench.evaluate_with(&[dimension], queries, lanes[0]), expected);
        }
    }

    #[test]
    fn linear_ids() {
        let mut bench = Bench::opencl();
        let global = bench.call("_Z20get_global_linear_idv", &[], &[SIZE])[0];
        let local = bench.call("_Z19get_local_linear_idv", &[], &[SIZE])[0];
        let queries = |query| match query {
            ThreadQuery::GlobalId(d) => [13, 22, 31][usize::from(d)],
            ThreadQuery::GlobalOffset(d) => [10, 20, 30][usize::from(d)],
            ThreadQuery::GlobalSize(d) => [8, 4, 2][usize::from(d)],
            ThreadQuery::LocalId(d) => [1, 2, 3][usize::from(d)],
            ThreadQuery::LocalSize(d) => [5, 6, 7][usize::from(d)],
            other => panic!("{other:?}"),
        };
        assert_eq!(bench.evaluate_with(&[], queries, global), (4 + 2) * 8 + 3);
        assert_eq!(bench.evaluate_with(&[], queries, local), (3 * 6 + 2) * 5 + 1);
    }
}
