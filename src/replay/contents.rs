//! What arrays hold in a run, where nobody knows.

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Kernel, Operation, Space, Terminator, Type, Value};
use num_traits::ToPrimitive;

use crate::interpreter::arguments::{declared, type_of_elements};
use crate::interpreter::floats;
use crate::interpreter::memory::Element;
use crate::prove::ArrayContents;

/// Contents that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// What the counterexample says, zeros where it says nothing.
    Told,
    /// Element `i` is `i`: values differ, and are indices inside of what is not too small.
    Count,
    /// All zeros.
    Zeros,
    /// All ones.
    Ones,
    /// Any values, by a seed.
    Random(u64),
    /// Any of the values that the kernel compares with, by a seed.
    Among(u64),
}

/// One after the other.
pub const CONTENTS: [Contents; 16] = [
    Contents::Told,
    Contents::Count,
    Contents::Zeros,
    Contents::Ones,
    Contents::Random(0),
    Contents::Among(0),
    Contents::Random(1),
    Contents::Among(1),
    Contents::Among(2),
    Contents::Among(3),
    Contents::Random(2),
    Contents::Random(3),
    Contents::Random(4),
    Contents::Among(4),
    Contents::Among(5),
    Contents::Among(6),
];

/// The most values of a kind that are drawn from.
const MOST: usize = 8;

/// The values that a kernel compares with, those beside them, and those that are telling anyway: integers, and floats.
pub struct Telling {
    integers: Vec<i64>,
    floats: Vec<f64>,
}

impl Telling {
    /// Of a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut telling = Self { integers: vec![0, 1, -1], floats: vec![0.0, 1.0, -1.0] };
        let mut constants: SecondaryMap<Value, Option<&Bits>> = SecondaryMap::new();
        for data in kernel.instructions.values() {
            if let (Operation::Constant(bits), Some(result)) = (&data.operation, data.result) {
                constants[result] = Some(bits);
            }
        }
        for data in kernel.instructions.values() {
            if let Operation::Compare(..) | Operation::Float(..) = data.operation {
                data.operation.for_each_operand(|operand| {
                    if let Some(bits) = constants[operand] {
                        telling.constant(kernel.ty(operand), bits);
                    }
                });
            }
        }
        for data in kernel.blocks.values() {
            if let Terminator::Switch { cases, .. } = &data.terminator {
                for (case, _) in cases {
                    telling.integer(case);
                }
            }
        }
        telling.integers.truncate(MOST);
        telling.floats.truncate(MOST);
        telling
    }

    fn constant(&mut self, ty: Type, bits: &Bits) {
        match ty {
            Type::Bits(_) => self.integer(bits),
            Type::Float(ty) => {
                let number = bits.to_u64().map(|pattern| floats::number(ty, pattern));
                let known = |number: &f64| self.floats.contains(number) || !number.is_finite();
                if let Some(number) = number.filter(|number| !known(number)) {
                    self.floats.push(number);
                }
            }
            Type::Bool | Type::Pointer(_) => {}
        }
    }

    fn integer(&mut self, bits: &Bits) {
        let Some(number) = bits.signed().to_i64() else { return };
        for near in [number, number.saturating_add(1), number.saturating_sub(1)] {
            if !self.integers.contains(&near) {
                self.integers.push(near);
            }
        }
    }

    /// As elements of this type, in words.
    fn list(&self, data: &ArrayData) -> String {
        let all: Vec<String> = match declared(data) {
            Some(Element::Float(_)) => self.floats.iter().map(ToString::to_string).collect(),
            element => {
                let bytes = element.map_or(4, Element::bytes);
                let fits = |number: &&i64| bytes == 8 || (-1..1 << (8 * bytes - 1)).contains(*number);
                self.integers.iter().filter(fits).map(ToString::to_string).collect()
            }
        };
        all.join(",")
    }
}

/// An array of the launch as `--arg` takes it; `None` if it is none that can be given.
pub fn words(data: &ArrayData, contents: Contents, telling: &Telling) -> Option<String> {
    if matches!(data.origin, ArrayOrigin::Image { .. }) || matches!(data.space, Space::Local | Space::Private) {
        return None;
    }
    let ty = type_of_elements(data);
    Some(match contents {
        Contents::Count => format!("iota:{ty}"),
        Contents::Told => format!("zeros:{ty}"),
        Contents::Zeros => format!("zeros:{ty}"),
        Contents::Ones => "1".to_owned(),
        Contents::Random(seed) => format!("random@{seed}:{ty}"),
        Contents::Among(seed) => format!("among@{seed}:{ty}[{}]", telling.list(data)),
    })
}

/// What a counterexample says that an array holds, as `--arg` takes it.
pub fn told(contents: &ArrayContents) -> Option<String> {
    let ty = match contents.cell_bytes {
        1 => "uchar",
        2 => "ushort",
        4 => "uint",
        8 => "ulong",
        _ => return None,
    };
    let cells: Vec<String> =
        contents.cells.iter().filter(|(_, value)| *value != 0).map(|(cell, value)| format!("{cell}:{value}")).collect();
    Some(format!("{ty}{{{}}}", cells.join(",")))
}

/// A parameter's value as `--arg` takes it.
pub fn number(bits: &Bits, ty: Type) -> Option<String> {
    match ty {
        Type::Float(ty) => Some(Element::Float(ty).show(bits.to_u64()?)),
        Type::Bits(width) if bits.width() == width => Some(bits.unsigned().to_string()),
        Type::Bool if bits.width() == 1 => Some(if bits.is_zero() { "0" } else { "1" }.to_owned()),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => None,
    }
}
