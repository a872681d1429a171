//! Clocks, textures and surfaces, and functions that only random numbers use.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{Operation, Type, Value};

use super::anything;
use crate::builder::Lanes;
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};

/// Appends one of these functions.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "clock" | "clock64" | "__globaltimer" | "__lockstep_surface_word" | "__lockstep_any" => {
            call.expect_parameters(0)?;
            let lanes = call.result.iter().map(|&ty| anything(call.builder, ty)).collect();
            Ok(Some(lanes))
        }
        "__lockstep_choice" => choice(call),
        "__lockstep_cached" => {
            call.expect_parameters(2)?;
            let (pointer, value) = (call.single(0)?, call.single(1)?);
            let ty = call.builder.ty(value);
            if call.result != [ty] || !matches!(call.builder.ty(pointer), Type::Pointer(_)) {
                return Err(call.ill_typed());
            }
            Ok(Some(vec![call.builder.append(Operation::Cached { pointer, value }, ty)]))
        }
        "__lockstep_texel" => texel(call),
        name => match name.strip_prefix("__lockstep_refused_") {
            Some(name) => Err(Unsupported(match name.strip_prefix("cuda_") {
                Some(name) => format!("cuda::{name}"),
                None => format!("{} {name}", kind(name)),
            })),
            None => Ok(None),
        },
    }
}

/// The kind of a function whose body in our headers is refused.
fn kind(name: &str) -> &'static str {
    match name {
        "memcpy_async" => "asynchronous copy by a group",
        "tiled_partition" => "tile of more than a warp",
        "barrier_arrive" | "barrier_wait" => "split barrier of a group",
        "this_multi_grid" | "this_cluster" => "group",
        name if name.starts_with("surf") => "surface write",
        name if name.starts_with("wmma_") => "warp matrix function",
        name if name.starts_with("cub_") => "CUB's",
        _ => "function",
    }
}

/// The assumption made by a call of a function with this name, for the report.
pub fn assumption(name: &str) -> Option<Assumed> {
    match name {
        "__lockstep_texel" => Some(Assumed::TexturesUnchanged),
        "__lockstep_library_storage" => Some(Assumed::LibraryStorage),
        // All threads of the group must call it and may be made to wait; no known implementation
        // makes them wait.
        "__lockstep_partition" => Some(Assumed::PartitionDoesNotWait),
        _ => None,
    }
}

/// A value that a library may choose; its argument, if any, is the value chosen in runs.
fn choice(call: &mut Call) -> Answer {
    let taken = if call.parameters.is_empty() { None } else { Some(call.single(0)?) };
    let ty = taken.map_or(Type::Bits(32), |taken| call.builder.ty(taken));
    if call.result != [ty] || matches!(ty, Type::Pointer(_)) {
        return Err(call.ill_typed());
    }
    Ok(Some(vec![call.builder.append(Operation::Choice(taken), ty)]))
}

/// A function of the texture, the kind of fetch, the lane and the coordinates.
fn texel(call: &mut Call) -> Answer {
    let operands: Vec<Value> =
        (0..call.parameters.len()).map(|index| call.single(index)).collect::<Result<Vec<_>, Unsupported>>()?;
    if call.result != [Type::Bits(32)] || operands.iter().any(|&x| matches!(call.builder.ty(x), Type::Pointer(_))) {
        return Err(call.ill_typed());
    }
    let value = call.builder.uninterpreted("texel", operands, Type::Bits(32));
    Ok(Some(Lanes::from([value])))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::FloatType;

    use super::*;
    use crate::builtins::testing::Bench;

    #[test]
    fn clocks_return_anything_that_is_a_number() {
        let mut bench = Bench::cuda();
        let times = [("_Z5clockv", 64), ("_Z7clock64v", 64), ("_Z23__lockstep_surface_wordv", 32)]
            .map(|(name, width)| bench.call(name, &[], &[Type::Bits(width)])[0]);
        for time in times {
            assert_eq!(*bench.operation(time), Operation::Anything);
        }
    }

    #[test]
    fn choices_are_of_the_type_that_is_asked_for() {
        let mut bench = Bench::cuda();
        let free = bench.call("_Z17__lockstep_choicev", &[], &[Type::Bits(32)])[0];
        assert_eq!(*bench.operation(free), Operation::Choice(None));
        let taken = bench.input(Type::Bits(64));
        let chosen = bench.call("_Z17__lockstep_choicey", &[vec![taken]], &[Type::Bits(64)])[0];
        assert_eq!(*bench.operation(chosen), Operation::Choice(Some(taken)));
    }

    #[test]
    fn texels_are_functions_of_texture_and_coordinates() {
        let mut bench = Bench::cuda();
        let (texture, number) = (bench.input(Type::Bits(64)), bench.input(Type::Bits(32)));
        let at = bench.inputs(Type::Float(FloatType::F32), 1);
        let arguments = [vec![texture], vec![number], vec![number], at.clone()];
        let value = bench.call("_Z16__lockstep_texelyiif", &arguments, &[Type::Bits(32)])[0];
        let expected = Operation::Uninterpreted("texel".into(), vec![texture, number, number, at[0]]);
        assert_eq!(*bench.operation(value), expected);
        assert!(assumption("__lockstep_texel").is_some());
    }

    #[test]
    fn refusals_name_the_function() {
        for (name, message) in [
            ("surf2Dwrite", "surface write surf2Dwrite"),
            ("memcpy_async", "asynchronous copy by a group memcpy_async"),
            ("wmma_mma_sync", "warp matrix function wmma_mma_sync"),
            ("cuda_barrier", "cuda::barrier"),
            ("cuda_memcpy_async", "cuda::memcpy_async"),
            ("invoke_one", "function invoke_one"),
        ] {
            let name = format!("__lockstep_refused_{name}");
            let refusal = Bench::cuda().try_call(&format!("_Z{}{name}v", name.len()), &[], &[]).expect_err(&name);
            assert_eq!(refusal.to_string(), message);
        }
    }
}
