//! Images: reads of unknown pixels, writes of pixels, and queries of an image's properties.
//!
//! With a sampler, the texels that a read touches are not modelled: they may be any of the image.
//! Levels of detail and samples are not told apart: all are the one image. The queries are
//! functions of the image alone.

use lockstep_ir::kernel::{Operation, Type, Value};

use super::super::builder::Lanes;
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{Integer, ParameterType, Scalar};
use crate::builtins::memory;

/// Appends a function of an image.
pub fn expand(call: &mut Call) -> Answer {
    if image(call).is_none() {
        return Ok(None);
    }
    match call.name {
        "read_imagef" | "read_imagei" | "read_imageui" | "read_imageh" => read(call),
        "write_imagef" | "write_imagei" | "write_imageui" | "write_imageh" => write(call),
        "get_image_dim" => sizes(call),
        "get_image_width"
        | "get_image_height"
        | "get_image_depth"
        | "get_image_array_size"
        | "get_image_channel_data_type"
        | "get_image_channel_order"
        | "get_image_num_mip_levels"
        | "get_image_num_samples" => ask(call),
        name => Err(Unsupported(format!("image function {name}"))),
    }
}

/// The number of dimensions of the image in the first parameter, including the index into an array.
fn image(call: &Call) -> Option<usize> {
    let kind = call.parameters.first()?.opaque()?.strip_prefix("ocl_image")?;
    let dimensions = match kind.get(..2)? {
        "1d" => 1,
        "2d" => 2,
        "3d" => 3,
        _ => return None,
    };
    Some(dimensions + usize::from(kind.contains("_array")))
}

/// `(image, sampler, coordinates…)` or `(image, coordinates…)`
fn read(call: &mut Call) -> Answer {
    let image = call.single(0)?;
    let coordinates = match call.parameter(1)?.opaque() {
        Some("ocl_sampler") => Vec::new(),
        _ => integer_coordinates(call)?,
    };
    let ty = match call.result {
        &[ty] => ty,
        types => {
            let width = types.iter().map(|ty| ty.width()).sum::<Option<u32>>();
            Type::Bits(width.filter(|&width| width > 0).ok_or_else(|| call.ill_typed())?)
        }
    };
    let pixel = call.builder.append(Operation::ImageRead { image, coordinates }, ty);
    let lanes = memory::split(call.builder, pixel, call.result).ok_or_else(|| call.ill_typed())?;
    Ok(Some(lanes))
}

/// `(image, coordinates, [level,] colour)`
fn write(call: &mut Call) -> Answer {
    let colour = call.parameters.len() - 1;
    if !(2..=3).contains(&colour) {
        return Err(call.ill_typed());
    }
    let image = call.single(0)?;
    let coordinates = integer_coordinates(call)?;
    let colour = call.lanes(colour)?;
    let value = memory::join(call.builder, &colour).ok_or_else(|| call.ill_typed())?;
    call.builder.append_effect(Operation::ImageWrite { image, coordinates, value });
    Ok(Some(Lanes::new()))
}

/// The second argument as one coordinate per dimension of the image.
///
/// It may have further lanes, which mean nothing.
fn integer_coordinates(call: &Call) -> Result<Vec<Value>, Unsupported> {
    let dimensions = image(call).ok_or_else(|| call.ill_typed())?;
    let mut lanes = call.lanes(1)?;
    let is_int = matches!(call.parameter(1)?.scalar(), Some(Scalar::Integer(Integer { width: 32, .. })));
    if !is_int || lanes.len() < dimensions {
        return Err(call.ill_typed());
    }
    lanes.truncate(dimensions);
    Ok(lanes)
}

fn ask(call: &mut Call) -> Answer {
    let address = address(call)?;
    let &[ty] = call.result else {
        return Err(call.ill_typed());
    };
    Ok(Some(vec![call.builder.uninterpreted(call.name, vec![address], ty)]))
}

/// `get_image_dim`: width and height; of three dimensions also the depth, and zero.
fn sizes(call: &mut Call) -> Answer {
    let address = address(call)?;
    let mut lanes = Lanes::new();
    for (&ty, name) in call.result.iter().zip(["get_image_width", "get_image_height", "get_image_depth", ""]) {
        lanes.push(match ty {
            Type::Bits(width) if name.is_empty() => call.builder.number(width, 0),
            _ => call.builder.uninterpreted(name, vec![address], ty),
        });
    }
    Ok(Some(lanes))
}

fn address(call: &mut Call) -> Result<Value, Unsupported> {
    call.expect_parameters(1)?;
    let image = call.single(0)?;
    if !matches!(call.builder.ty(image), Type::Pointer(_)) || !matches!(call.parameter(0)?, ParameterType::Opaque(_)) {
        return Err(call.ill_typed());
    }
    let ty = call.builder.kernel.offset_type();
    Ok(call.builder.append(Operation::PointerToInteger(image), ty))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{FloatType, Space};

    use super::*;
    use crate::builtins::testing::Bench;

    const FLOAT: Type = Type::Float(FloatType::F32);
    const INT: Type = Type::Bits(32);

    #[test]
    fn a_sampler_leaves_the_coordinates_open() {
        let mut bench = Bench::opencl();
        let image = bench.pointer(Space::Global);
        let sampler = bench.number(64, 0);
        let at = bench.inputs(FLOAT, 2);
        let name = "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f";
        bench.call(name, &[vec![image], vec![sampler], at], &[FLOAT; 4]);
        let reads = bench.find(|operation| matches!(operation, Operation::ImageRead { .. }));
        assert_eq!(reads, [Operation::ImageRead { image, coordinates: Vec::new() }]);
    }

    #[test]
    fn integer_coordinates_one_per_dimension() {
        for (name, given, dimensions) in [
            ("_Z11read_imagei14ocl_image3d_roDv4_i", 4, 3),
            ("_Z11read_imagei20ocl_image2d_array_rwDv4_i", 4, 3),
            ("_Z12read_imageui21ocl_image1d_buffer_roi", 1, 1),
            ("_Z11read_imagei14ocl_image2d_roDv2_i", 2, 2),
        ] {
            let mut bench = Bench::opencl();
            let image = bench.pointer(Space::Global);
            let at = bench.inputs(INT, given);
            bench.call(name, &[vec![image], at.clone()], &[INT; 4]);
            let reads = bench.find(|operation| matches!(operation, Operation::ImageRead { .. }));
            assert_eq!(reads, [Operation::ImageRead { image, coordinates: at[..dimensions].to_vec() }], "{name}");
        }
    }

    #[test]
    fn writes_carry_the_colour() {
        let mut bench = Bench::opencl();
        let image = bench.pointer(Space::Global);
        let (at, colour) = (bench.inputs(INT, 2), bench.inputs(INT, 4));
        bench.call("_Z12write_imagei14ocl_image2d_woDv2_iDv4_i", &[vec![image], at.clone(), colour], &[]);
        let Operation::ImageWrite { coordinates, value, .. } = bench.last() else { panic!("a write") };
        assert_eq!(*coordinates, at);
        assert_eq!(bench.kernel.ty(*value), Type::Bits(128));
    }

    #[test]
    fn sizes_are_functions_of_the_image() {
        let mut bench = Bench::opencl();
        let image = bench.pointer(Space::Global);
        let width = bench.call("_Z15get_image_width14ocl_image2d_ro", &[vec![image]], &[INT])[0];
        let lanes = bench.call("_Z13get_image_dim14ocl_image2d_ro", &[vec![image]], &[INT; 2]);
        let name = |value| match bench.operation(value) {
            Operation::Uninterpreted(name, _) => name.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(name(width), name(lanes[0]));
        assert_ne!(name(lanes[0]), name(lanes[1]));
    }
}
