//! Contents of arrays in a run where the proof leaves them open.

use cranelift_entity::SecondaryMap;
use lockstep_interpreter::arguments::{component, declared, type_of_elements};
use lockstep_interpreter::floats;
use lockstep_interpreter::memory::{Element, scrambled};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Kernel, Operation, Space, Terminator, Type, Value};
use lockstep_prove::ArrayContents;
use num_traits::ToPrimitive;

use Values::{Among, Count, Flags, Ones, Random, Rows, Spread, Zeros};

/// The distance of offsets that are far apart.
const FAR: u64 = 4096;

/// The length of a row.
const ROW: u64 = 8;

/// Contents to try for arrays, and for parameters that are floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Whether arrays and float parameters have the values of the counterexample where it gives
    /// them.
    pub told: bool,
    /// The values of other integers.
    pub integers: Values,
    /// The values of other floats.
    pub floats: Values,
}

/// Values of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// All zeros.
    Zeros,
    /// All ones.
    Ones,
    /// Element `i` is `i`: values differ, and are valid indices of arrays that are not too small.
    Count,
    /// Element `i` is `i` times a large number: offsets are far apart.
    Spread,
    /// Element `i` is `i` times a small number: offsets of rows with a few elements each.
    Rows,
    /// Pseudorandom zeros and ones by a seed: flags that are set here and there, rows of one
    /// element or none.
    Flags(u64),
    /// Pseudorandom values by a seed.
    Random(u64),
    /// Pseudorandom choices among the values that the kernel compares with, by a seed.
    Among(u64),
}

const fn told(integers: Values, floats: Values) -> Contents {
    Contents { told: true, integers, floats }
}

const fn made_up(integers: Values, floats: Values) -> Contents {
    Contents { told: false, integers, floats }
}

/// The number of leading [`CONTENTS`] that use the counterexample's values.
pub const TOLD: usize = 2;

/// The contents in the order in which they are tried. Floats influence less than integers do, but
/// two writes of equal floats are no race.
pub const CONTENTS: [Contents; 20] = [
    told(Zeros, Zeros),
    told(Zeros, Random(0)),
    made_up(Count, Count),
    made_up(Zeros, Zeros),
    made_up(Ones, Ones),
    made_up(Random(0), Random(0)),
    made_up(Among(0), Among(0)),
    made_up(Count, Random(0)),
    made_up(Flags(0), Random(0)),
    made_up(Random(1), Random(1)),
    made_up(Among(1), Among(1)),
    made_up(Among(2), Random(2)),
    made_up(Flags(1), Random(1)),
    made_up(Among(3), Among(3)),
    made_up(Random(2), Random(2)),
    made_up(Random(3), Random(3)),
    made_up(Flags(2), Among(2)),
    made_up(Among(4), Among(4)),
    made_up(Among(5), Random(5)),
    made_up(Among(6), Among(6)),
];

/// The most values of a kind to choose from.
const MOST: usize = 8;

/// The values that a kernel compares with, their neighbours, and values that are significant in any
/// kernel: integers, and floats.
pub struct Telling {
    integers: Vec<i64>,
    floats: Vec<f64>,
}

impl Telling {
    /// Collects the values of a kernel.
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

    /// The values as elements of this type, in the form of `--arg`.
    fn list(&self, data: &ArrayData) -> String {
        let all: Vec<String> = match component(data) {
            Some(Element::Float(_)) => self.floats.iter().map(ToString::to_string).collect(),
            element => {
                let bytes = element.map_or(4, Element::bytes);
                let fits = |number: &&i64| bytes == 8 || (-1..1 << (8 * bytes - 1)).contains(*number);
                self.integers.iter().filter(fits).map(ToString::to_string).collect()
            }
        };
        all.join(",")
    }

    /// An integer of this width, selected by a drawn number.
    pub fn integer_of(&self, drawn: u64, width: u32) -> String {
        let count = u64::try_from(self.integers.len()).expect("counted");
        let number = self.integers[usize::try_from(drawn % count).expect("an index")];
        Bits::from_signed(width, number).unsigned().to_string()
    }

    /// A float parameter in the form of `--arg`, where a value other than the counterexample's is
    /// tried; `index` distinguishes it from others.
    pub fn float(&self, values: Values, index: usize) -> String {
        let number = match values {
            Zeros | Count | Spread | Rows => 0.0,
            Ones => 1.0,
            Flags(seed) | Random(seed) => {
                // A half is exact in every format.
                let steps = scrambled(seed.wrapping_add(u64::try_from(index).unwrap_or(0))) % 8;
                f64::from(u32::try_from(steps).expect("small") + 1) / 2.0
            }
            Among(seed) => {
                let drawn = scrambled(seed.wrapping_add(u64::try_from(index).unwrap_or(0)));
                let count = u64::try_from(self.floats.len()).expect("counted");
                self.floats[usize::try_from(drawn % count).expect("an index")]
            }
        };
        number.to_string()
    }
}

/// An array of the launch in the form of `--arg`; `None` if it cannot be given.
pub fn words(data: &ArrayData, contents: Contents, telling: &Telling) -> Option<String> {
    if matches!(data.origin, ArrayOrigin::Image { .. }) || matches!(data.space, Space::Local | Space::Private) {
        return None;
    }
    let ty = type_of_elements(data);
    let values = if matches!(component(data), Some(Element::Float(_))) { contents.floats } else { contents.integers };
    Some(match values {
        Count => format!("iota:{ty}"),
        Spread => format!("iota@{FAR}:{ty}"),
        Rows => format!("iota@{ROW}:{ty}"),
        Zeros => format!("zeros:{ty}"),
        // A number by itself has the declared type.
        Ones if declared(data).is_some() => "1".to_owned(),
        Ones => format!("among:{ty}[1]"),
        Flags(seed) => format!("among@{seed}:{ty}[0,1]"),
        Random(seed) => format!("random@{seed}:{ty}"),
        Among(seed) => format!("among@{seed}:{ty}[{}]", telling.list(data)),
    })
}

/// The counterexample's contents of an array in the form of `--arg`.
pub fn in_words(contents: &ArrayContents) -> Option<String> {
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

/// A parameter's value in the form of `--arg`.
pub fn number(bits: &Bits, ty: Type) -> Option<String> {
    match ty {
        Type::Float(ty) => Some(Element::Float(ty).show(bits.to_u64()?)),
        Type::Bits(width) if bits.width() == width => Some(bits.unsigned().to_string()),
        Type::Bool if bits.width() == 1 => Some(if bits.is_zero() { "0" } else { "1" }.to_owned()),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => None,
    }
}
