//! Vector loads and stores, and the functions that permute lanes.
//!
//! `vloadN` and `vstoreN` are one access of all lanes, aligned as one lane. The functions on `half`
//! convert to and from the float type of their argument or result.

use lockstep_ir::kernel::{CompareOp, FloatOp, FloatType, Type, Value};

use super::super::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{ParameterType, Scalar};
use crate::builtins::memory;

/// Appends a vector load or store, or a permutation.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "shuffle" => return shuffle(call, 1),
        "shuffle2" => return shuffle(call, 2),
        _ => {}
    }
    let Some(form) = Form::parse(call.name) else {
        return Ok(None);
    };
    if form.store { store(call, &form) } else { load(call, &form) }
}

/// The parts of a load's or store's name.
#[derive(Debug, PartialEq, Eq)]
struct Form<'name> {
    store: bool,
    half: bool,
    /// Whether it is aligned as a vector, with three lanes at distances of four (`vloada_half3`).
    aligned: bool,
    lanes: u32,
    /// `rtz`; empty for the default.
    rounding: &'name str,
}

impl<'name> Form<'name> {
    fn parse(name: &'name str) -> Option<Self> {
        let (store, rest) = match name.strip_prefix("vload") {
            Some(rest) => (false, rest),
            None => (true, name.strip_prefix("vstore")?),
        };
        let (rest, aligned) = match rest.strip_prefix("a_") {
            Some(rest) if rest.starts_with("half") => (rest, true),
            Some(_) => return None,
            None => (rest.strip_prefix('_').unwrap_or(rest), false),
        };
        let (rest, half) = match rest.strip_prefix("half") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (lanes, rounding) = rest.split_once('_').unwrap_or((rest, ""));
        let lanes = match lanes {
            "" if half => 1,
            "2" => 2,
            "3" => 3,
            "4" => 4,
            "8" => 8,
            "16" => 16,
            _ => return None,
        };
        let rounds = half && store && matches!(rounding, "rte" | "rtz" | "rtp" | "rtn");
        (rounding.is_empty() || rounds).then_some(Self { store, half, aligned, lanes, rounding })
    }

    /// The lanes from one vector to the next.
    fn stride(&self) -> u32 {
        if self.aligned && self.lanes == 3 { 4 } else { self.lanes }
    }
}

fn load(call: &mut Call, form: &Form) -> Answer {
    call.expect_parameters(2)?;
    let element = pointed_to(call, 1, form)?;
    let (pointer, alignment) = address(call, form, 0, 1, element)?;
    let count = usize::try_from(form.lanes).expect("at most 16");
    let lanes = call.load(pointer, alignment, &vec![lane_type(element); count])?;
    if !form.half {
        return Ok(Some(lanes));
    }
    let Some(&ty @ Type::Float(_)) = call.result.first() else {
        return Err(call.ill_typed());
    };
    Ok(Some(lanes.into_iter().map(|lane| widen(call.builder, lane, ty)).collect()))
}

fn widen(builder: &mut Builder<'_>, lane: Value, ty: Type) -> Value {
    if builder.ty(lane) == ty { lane } else { builder.float(FloatOp::FromFloat, vec![lane], ty) }
}

fn store(call: &mut Call, form: &Form) -> Answer {
    call.expect_parameters(3)?;
    let element = pointed_to(call, 2, form)?;
    let mut lanes = call.lanes(0)?;
    if call.parameter(0)?.lanes() != Some(form.lanes) {
        return Err(call.ill_typed());
    }
    if form.half {
        if !call.parameter(0)?.is_float() {
            return Err(call.ill_typed());
        }
        lanes = lanes.into_iter().map(|lane| narrow(call.builder, lane, form.rounding)).collect();
    } else if call.parameter(0)?.scalar() != Some(element) {
        return Err(call.ill_typed());
    }
    let (pointer, alignment) = address(call, form, 1, 2, element)?;
    call.store(pointer, alignment, &lanes)?;
    Ok(Some(Lanes::new()))
}

/// Converts to `half`, to nearest even by default.
fn narrow(builder: &mut Builder<'_>, lane: Value, rounding: &str) -> Value {
    let half = Type::Float(FloatType::F16);
    match rounding {
        _ if builder.ty(lane) == half => lane,
        "" | "rte" => builder.float(FloatOp::FromFloat, vec![lane], half),
        _ => builder.uninterpreted(format!("convert_half_{rounding}"), vec![lane], half),
    }
}

/// The type of the lanes in memory.
fn pointed_to(call: &Call, pointer: usize, form: &Form) -> Result<Scalar, Unsupported> {
    match call.parameter(pointer)?.pointee() {
        Some((_, &ParameterType::Scalar(scalar))) if !form.half || scalar == Scalar::Float(FloatType::F16) => {
            Ok(scalar)
        }
        _ => Err(call.ill_typed()),
    }
}

/// The address of the vector at the index that a parameter gives, and its alignment.
fn address(
    call: &mut Call,
    form: &Form,
    index: usize,
    pointer: usize,
    element: Scalar,
) -> Result<(Value, u32), Unsupported> {
    if call.integer(index).is_none() {
        return Err(call.ill_typed());
    }
    let (index, pointer) = (call.single(index)?, call.single(pointer)?);
    let bytes = form.stride() * element.bytes();
    let alignment = if form.aligned { bytes } else { element.bytes() };
    Ok((memory::element(call.builder, pointer, index, bytes), alignment))
}

fn lane_type(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Bool => Type::Bits(8),
        Scalar::Integer(integer) => Type::Bits(integer.width),
        Scalar::Float(float) => Type::Float(float),
    }
}

/// Lane `i` of the result is the lane of the source vectors that the low bits of `mask[i]` number.
fn shuffle(call: &mut Call, sources: usize) -> Answer {
    call.expect_parameters(sources + 1)?;
    let mut source = call.lanes(0)?;
    if sources == 2 {
        if call.parameters[0] != call.parameters[1] {
            return Err(call.ill_typed());
        }
        source.extend(call.lanes(1)?);
    }
    if call.integer(sources).is_none() || !source.len().is_power_of_two() {
        return Err(call.ill_typed());
    }
    let mask = call.lanes(sources)?;
    Ok(Some(mask.into_iter().map(|index| pick(call.builder, &source, index)).collect()))
}

fn pick(builder: &mut Builder<'_>, source: &[Value], index: Value) -> Value {
    let bits = source.len().trailing_zeros();
    if let Some(constant) = builder.kernel.constant(index) {
        let low = if bits == 0 { Some(0) } else { constant.extract(bits - 1, 0).to_u64() };
        let lane = low.and_then(|low| usize::try_from(low).ok()).and_then(|low| source.get(low));
        return lane.copied().unwrap_or(source[0]);
    }
    let mut chosen = source[0];
    if bits == 0 {
        return chosen;
    }
    let low = builder.extract(bits - 1, 0, index);
    for (number, &lane) in (0u64..).zip(source).skip(1) {
        let number = builder.number(bits, number);
        let this = builder.compare(CompareOp::Equal, low, number);
        chosen = builder.select(this, lane, chosen);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Access, Operation, Space};

    use super::*;
    use crate::builtins::testing::Bench;

    const FLOAT: Type = Type::Float(FloatType::F32);

    fn only_access(bench: &Bench) -> (Access, bool) {
        let accesses = bench.find(|operation| matches!(operation, Operation::Load(_) | Operation::Store(..)));
        match accesses.as_slice() {
            [Operation::Load(access)] => (access.clone(), false),
            [Operation::Store(access, _)] => (access.clone(), true),
            other => panic!("{other:?}"),
        }
    }

    /// Expects a load of this many lanes at `index * stride` bytes.
    fn check_load(name: &str, lanes: usize, ty: Type, stride: u128, alignment: u32, bits: u32) {
        let mut bench = Bench::opencl();
        let index = bench.input(Type::Bits(64));
        let pointer = bench.pointer(Space::Global);
        bench.call(name, &[vec![index], vec![pointer]], &vec![ty; lanes]);
        let (access, store) = only_access(&bench);
        assert!(!store);
        assert_eq!(access.alignment, alignment);
        assert_eq!(bench.offset(&[5], access.pointer), 5 * stride);
        let load = bench
            .kernel
            .values
            .iter()
            .find(|&(value, _)| matches!(bench.kernel.operation(value), Some(Operation::Load(_))));
        assert_eq!(load.and_then(|(_, data)| data.ty.width()), Some(bits));
    }

    fn check_store(name: &str, lanes: usize, ty: Type, stride: u128, alignment: u32, bits: u32) {
        let mut bench = Bench::opencl();
        let index = bench.input(Type::Bits(64));
        let value = bench.inputs(ty, lanes);
        let pointer = bench.pointer(Space::Generic);
        bench.call(name, &[value, vec![index], vec![pointer]], &[]);
        let (access, store) = only_access(&bench);
        assert!(store);
        assert_eq!(access.alignment, alignment);
        assert_eq!(bench.offset(&[5], access.pointer), 5 * stride);
        let Operation::Store(_, value) = *bench.last() else { panic!("a store") };
        assert_eq!(bench.kernel.ty(value).width(), Some(bits));
    }

    #[test]
    fn loads_are_one_access() {
        check_load("_Z6vload4mPU3AS1Kf", 4, FLOAT, 16, 4, 128);
        check_load("_Z6vload3mPU3AS1Kf", 3, FLOAT, 12, 4, 96);
        check_load("_Z7vload16mPU3AS1Kh", 16, Type::Bits(8), 16, 1, 128);
        check_load("_Z10vload_halfmPU3AS4KDh", 1, FLOAT, 2, 2, 16);
        check_load("_Z11vload_half3mPU3AS4KDh", 3, FLOAT, 6, 2, 48);
        check_load("_Z12vloada_half3mPU3AS4KDh", 3, FLOAT, 8, 8, 48);
        check_load("_Z6vload2mPU3AS4KDh", 2, Type::Float(FloatType::F16), 4, 2, 32);
    }

    #[test]
    fn stores_are_one_access() {
        check_store("_Z7vstore4Dv4_imPU3AS4i", 4, Type::Bits(32), 16, 4, 128);
        check_store("_Z11vstore_halffmPU3AS4Dh", 1, FLOAT, 2, 2, 16);
        check_store("_Z16vstore_half4_rteDv4_fmPU3AS4Dh", 4, FLOAT, 8, 2, 64);
        check_store("_Z17vstorea_half3_rtzDv3_fmPU3AS4Dh", 3, FLOAT, 8, 8, 48);
    }

    #[test]
    fn lanes_are_in_the_order_of_memory() {
        let mut bench = Bench::opencl();
        let value = bench.inputs(Type::Bits(8), 2);
        let index = bench.number(64, 0);
        let pointer = bench.pointer(Space::Global);
        bench.call("_Z7vstore2Dv2_hmPU3AS1h", &[value, vec![index], vec![pointer]], &[]);
        let Operation::Store(_, value) = *bench.last() else { panic!("a store") };
        assert_eq!(bench.evaluate(&[0x11, 0x22], value), 0x2211);
    }

    #[test]
    fn names_of_other_functions() {
        for name in ["vload5", "vload", "vload_float4", "vloada_4", "vload4_rte", "vload_half4_rte", "vstore4_rtz"] {
            assert_eq!(Form::parse(name), None, "{name}");
        }
    }

    #[test]
    fn shuffles() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(Type::Bits(32), 5);
        let (first, second) = (x[0..2].to_vec(), x[2..4].to_vec());
        let (three, six) = (bench.number(32, 3), bench.number(32, 6));
        let types = [Type::Bits(32); 2];
        // Only those bits of the mask count that number the lanes.
        let fixed = bench.call("_Z7shuffleDv2_iDv2_j", &[first.clone(), vec![three, six]], &types);
        assert_eq!(fixed, [x[1], x[0]]);
        let two = bench.call("_Z8shuffle2Dv2_iS_Dv2_j", &[first, second, vec![x[4], six]], &types);
        assert_eq!(two[1], x[2]);
        for (mask, expected) in [(0, 10), (1, 11), (2, 12), (3, 13), (5, 11)] {
            assert_eq!(bench.evaluate(&[10, 11, 12, 13, mask], two[0]), expected);
        }
    }
}
