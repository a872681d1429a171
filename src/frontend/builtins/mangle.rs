//! Reads the mangled names of OpenCL's built-in functions.
//!
//! The grammar is the part of the Itanium C++ ABI's grammar that Clang uses for them:
//!
//! ```text
//! name     = "_Z" source-name ( "v" | type+ )
//! type     = scalar | "Dh" | "Dv" number "_" type | "P" type | qualifier+ type | "U7_Atomic" type
//!          | source-name | substitution
//! qualifier = "K" | "V" | "r" | "U" source-name        (the source name "AS1": address space 1)
//! substitution = "S_" | "S" base-36-number "_"
//! ```
//!
//! Everything but scalars is a candidate for later substitutions, in order of completion; a group
//! of qualifiers with its type is one candidate.

use std::rc::Rc;

use lockstep_ir::kernel::{FloatType, Space};

/// A function's name and parameter types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name in the source: `min`.
    pub base: String,
    /// The types of the parameters.
    pub parameters: Vec<ParameterType>,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// `void`, behind a pointer.
    Void,
    /// A scalar.
    Scalar(Scalar),
    /// A vector of this many lanes.
    Vector(Scalar, u32),
    /// A pointer into memory of this address space.
    Pointer(Space, Rc<ParameterType>),
    /// A type with a name: `ocl_image2d_ro`, `ocl_event`, `memory_order`.
    Opaque(Rc<str>),
}

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// An integer.
    Integer(Integer),
    /// A float.
    Float(FloatType),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// The number of bits.
    pub width: u32,
    /// Whether it has a sign.
    pub signed: bool,
}

impl ParameterType {
    /// The type of a scalar, or of a vector's lanes.
    pub fn scalar(&self) -> Option<Scalar> {
        match *self {
            Self::Scalar(scalar) | Self::Vector(scalar, _) => Some(scalar),
            Self::Void | Self::Pointer(..) | Self::Opaque(_) => None,
        }
    }

    /// Whether it is a float or a vector of floats.
    pub fn is_float(&self) -> bool {
        matches!(self.scalar(), Some(Scalar::Float(_)))
    }

    /// The number of lanes of a scalar or a vector.
    pub fn lanes(&self) -> Option<u32> {
        match *self {
            Self::Scalar(_) => Some(1),
            Self::Vector(_, count) => Some(count),
            Self::Void | Self::Pointer(..) | Self::Opaque(_) => None,
        }
    }

    /// The size in memory of a scalar or a vector in bytes, which is also its alignment. A vector
    /// of three lanes has the size of one of four.
    pub fn bytes(&self) -> Option<u32> {
        let lanes = match self.lanes()? {
            3 => 4,
            lanes => lanes,
        };
        Some(lanes * self.scalar()?.bytes())
    }

    /// The address space and the type that a pointer points to.
    pub fn pointee(&self) -> Option<(Space, &ParameterType)> {
        match self {
            Self::Pointer(space, pointee) => Some((*space, pointee)),
            Self::Void | Self::Scalar(_) | Self::Vector(..) | Self::Opaque(_) => None,
        }
    }

    /// The name of an opaque type.
    pub fn opaque(&self) -> Option<&str> {
        match self {
            Self::Opaque(name) => Some(name),
            Self::Void | Self::Scalar(_) | Self::Vector(..) | Self::Pointer(..) => None,
        }
    }
}

impl Scalar {
    /// The size in memory in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Integer(integer) => integer.width / 8,
            Self::Float(float) => float.width() / 8,
        }
    }
}

/// Reads a mangled name; `None` if it is not one of this grammar.
pub fn demangle(name: &str) -> Option<Function> {
    let mut reader = Reader { rest: name.strip_prefix("_Z")?, substitutions: Vec::new(), depth: 0 };
    let base = reader.source_name()?.to_string();
    if reader.rest == "v" {
        return Some(Function { base, parameters: Vec::new() });
    }
    let mut parameters = Vec::new();
    while !reader.rest.is_empty() {
        parameters.push(reader.ty()?.ty);
    }
    (!parameters.is_empty()).then_some(Function { base, parameters })
}

/// A type with the address space its qualifiers name.
#[derive(Clone)]
struct Qualified {
    space: Space,
    ty: ParameterType,
}

struct Reader<'name> {
    rest: &'name str,
    substitutions: Vec<Qualified>,
    depth: u32,
}

/// More levels of pointers than any built-in function has, which bounds the reader's stack.
const DEEPEST_TYPE: u32 = 32;

/// More lanes than any vector has, which bounds products of lanes and bytes.
const MOST_LANES: u32 = 16;

impl<'name> Reader<'name> {
    fn ty(&mut self) -> Option<Qualified> {
        if self.depth == DEEPEST_TYPE {
            return None;
        }
        self.depth += 1;
        let ty = self.ty_at_depth();
        self.depth -= 1;
        ty
    }

    fn ty_at_depth(&mut self) -> Option<Qualified> {
        if let Some(scalar) = self.scalar() {
            return Some(private(ParameterType::Scalar(scalar)));
        }
        if self.take("v") {
            return Some(private(ParameterType::Void));
        }
        if self.take("S") {
            return self.substitution();
        }
        let complete = if self.take("P") {
            let Qualified { space, ty } = self.ty()?;
            private(ParameterType::Pointer(space, Rc::new(ty)))
        } else if self.take("Dv") {
            self.vector()?
        } else if self.take("U7_Atomic") {
            self.ty()?
        } else if self.rest.starts_with(['U', 'K', 'V', 'r']) {
            self.qualified()?
        } else {
            private(ParameterType::Opaque(self.source_name()?.into()))
        };
        self.substitutions.push(complete.clone());
        Some(complete)
    }

    fn scalar(&mut self) -> Option<Scalar> {
        let integer = |width, signed| Some(Scalar::Integer(Integer { width, signed }));
        if self.take("Dh") {
            return Some(Scalar::Float(FloatType::F16));
        }
        let scalar = match self.rest.as_bytes().first()? {
            b'b' => Some(Scalar::Bool),
            b'a' | b'c' => integer(8, true),
            b'h' => integer(8, false),
            b's' => integer(16, true),
            b't' => integer(16, false),
            b'i' => integer(32, true),
            b'j' => integer(32, false),
            b'l' | b'x' => integer(64, true),
            b'm' | b'y' => integer(64, false),
            b'f' => Some(Scalar::Float(FloatType::F32)),
            b'd' => Some(Scalar::Float(FloatType::F64)),
            _ => None,
        };
        if scalar.is_some() {
            self.rest = &self.rest[1..];
        }
        scalar
    }

    fn vector(&mut self) -> Option<Qualified> {
        let lanes = self.number()?;
        if !self.take("_") || !(1..=MOST_LANES).contains(&lanes) {
            return None;
        }
        match self.ty()?.ty {
            ParameterType::Scalar(scalar) => Some(private(ParameterType::Vector(scalar, lanes))),
            _ => None,
        }
    }

    fn qualified(&mut self) -> Option<Qualified> {
        let mut space = Space::Private;
        while !self.rest.starts_with("U7_Atomic") {
            if self.take("U") {
                space = address_space(self.source_name()?)?;
            } else if !(self.take("K") || self.take("V") || self.take("r")) {
                break;
            }
        }
        let ty = self.ty()?.ty;
        Some(Qualified { space, ty })
    }

    fn substitution(&mut self) -> Option<Qualified> {
        let end = self.rest.find('_')?;
        let number = &self.rest[..end];
        let index = if number.is_empty() {
            0
        } else if number.bytes().all(|digit| digit.is_ascii_digit() || digit.is_ascii_uppercase()) {
            usize::from_str_radix(number, 36).ok()?.checked_add(1)?
        } else {
            return None;
        };
        self.rest = &self.rest[end + 1..];
        self.substitutions.get(index).cloned()
    }

    fn source_name(&mut self) -> Option<&'name str> {
        let length = usize::try_from(self.number()?).ok()?;
        let name = self.rest.get(..length).filter(|name| !name.is_empty())?;
        self.rest = &self.rest[length..];
        Some(name)
    }

    fn number(&mut self) -> Option<u32> {
        let end = self.rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().ok()?;
        self.rest = &self.rest[end..];
        Some(number)
    }

    fn take(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

fn private(ty: ParameterType) -> Qualified {
    Qualified { space: Space::Private, ty }
}

/// The address spaces of the `spir` targets, by number or, on other targets, by name.
fn address_space(qualifier: &str) -> Option<Space> {
    match qualifier {
        "AS0" | "CLprivate" => Some(Space::Private),
        "AS1" | "AS5" | "AS6" | "CLglobal" => Some(Space::Global),
        "AS2" | "CLconstant" => Some(Space::Constant),
        "AS3" | "CLlocal" => Some(Space::Local),
        "AS4" | "CLgeneric" => Some(Space::Generic),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INT: Scalar = Scalar::Integer(Integer { width: 32, signed: true });
    const UINT: Scalar = Scalar::Integer(Integer { width: 32, signed: false });
    const ULONG: Scalar = Scalar::Integer(Integer { width: 64, signed: false });
    const FLOAT: Scalar = Scalar::Float(FloatType::F32);
    const HALF: Scalar = Scalar::Float(FloatType::F16);

    fn pointer(space: Space, pointee: ParameterType) -> ParameterType {
        ParameterType::Pointer(space, Rc::new(pointee))
    }

    fn named(name: &str) -> ParameterType {
        ParameterType::Opaque(name.into())
    }

    fn check(mangled: &str, base: &str, parameters: &[ParameterType]) {
        assert_eq!(demangle(mangled), Some(Function { base: base.into(), parameters: parameters.into() }), "{mangled}");
    }

    #[test]
    fn scalars_vectors_and_no_parameters() {
        use ParameterType::{Scalar, Vector};
        check("_Z12get_work_dimv", "get_work_dim", &[]);
        check("_Z13get_global_idj", "get_global_id", &[Scalar(UINT)]);
        check("_Z3minDv4_ii", "min", &[Vector(INT, 4), Scalar(INT)]);
        check("_Z5isnanDv16_Dh", "isnan", &[Vector(HALF, 16)]);
        check(
            "_Z8upsamplech",
            "upsample",
            &[
                Scalar(super::Scalar::Integer(Integer { width: 8, signed: true })),
                Scalar(super::Scalar::Integer(Integer { width: 8, signed: false })),
            ],
        );
    }

    #[test]
    fn pointers_with_qualifiers() {
        use ParameterType::{Scalar, Vector};
        check("_Z6vload4mPU3AS1Kf", "vload4", &[Scalar(ULONG), pointer(Space::Global, Scalar(FLOAT))]);
        check("_Z6vload4mPKf", "vload4", &[Scalar(ULONG), pointer(Space::Private, Scalar(FLOAT))]);
        check(
            "_Z16vstore_half4_rteDv4_fmPU3AS4Dh",
            "vstore_half4_rte",
            &[Vector(FLOAT, 4), Scalar(ULONG), pointer(Space::Generic, Scalar(HALF))],
        );
        check("_Z8prefetchPU8CLglobalKim", "prefetch", &[pointer(Space::Global, Scalar(INT)), Scalar(ULONG)]);
    }

    #[test]
    fn substitutions_count_what_the_abi_counts() {
        use ParameterType::{Scalar, Vector};
        check("_Z6selectDv4_iS_Dv4_j", "select", &[Vector(INT, 4), Vector(INT, 4), Vector(UINT, 4)]);
        // The image is the first candidate, the vector the second.
        check(
            "_Z12write_imagei20ocl_image2d_array_rwDv4_iS0_",
            "write_imagei",
            &[named("ocl_image2d_array_rw"), Vector(INT, 4), Vector(INT, 4)],
        );
        // `_Atomic int`, its qualified form, the pointer to it, then the same two of `int`: `S4_`
        // is the order.
        let object = pointer(Space::Generic, Scalar(INT));
        check(
            "_Z37atomic_compare_exchange_weak_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope",
            "atomic_compare_exchange_weak_explicit",
            &[object.clone(), object, Scalar(INT), named("memory_order"), named("memory_order"), named("memory_scope")],
        );
        // A pointer to a substituted qualified type keeps the address space.
        check("_Z1fPU3AS1KiPS_", "f", &[pointer(Space::Global, Scalar(INT)), pointer(Space::Global, Scalar(INT))]);
    }

    #[test]
    fn events_and_samplers() {
        use ParameterType::Scalar;
        check(
            "_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event",
            "async_work_group_copy",
            &[
                pointer(Space::Local, Scalar(FLOAT)),
                pointer(Space::Global, Scalar(FLOAT)),
                Scalar(ULONG),
                named("ocl_event"),
            ],
        );
        check(
            "_Z17wait_group_eventsiPU3AS49ocl_event",
            "wait_group_events",
            &[Scalar(INT), pointer(Space::Generic, named("ocl_event"))],
        );
    }

    #[test]
    fn other_names_are_not_read() {
        for name in [
            "",
            "_Z",
            "_Z3",
            "_Z3mi",
            "_Z3min",
            "min",
            "_Z0v",
            "_Z3minS_",
            "_Z3minDv",
            "_Z3minDv4i",
            "_Z3minDv0_i",
            "_Z3minDv99_i",
            "_Z3minDv4_Pi",
            "_Z99999999999999999999minv",
            "_Z3minPU3AS9i",
            "_Z3mine",
            "_Z3minSZZZZZZZZZZZZZZZZ_",
            "_Z2éi",
            "_Z1éi",
        ] {
            let function = demangle(name);
            assert!(function.is_none() || name == "_Z2éi", "{name}: {function:?}");
        }
        assert_eq!(demangle(&format!("_Z3min{}i", "P".repeat(100_000))), None);
    }

    proptest! {
        #[test]
        fn no_string_makes_it_panic(name in "(_Z)?[0-9]{0,3}[a-zA-Z0-9_é]{0,40}") {
            let _ = demangle(&name);
        }

        #[test]
        fn no_tail_makes_it_panic(tail in "[PSUKVDvhijfmr_0-9ASZ]{0,30}") {
            let _ = demangle(&format!("_Z3min{tail}"));
        }
    }
}
