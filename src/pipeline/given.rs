//! Given arguments of a kernel: values of those passed by value (`--kernel-args`) and sizes of the
//! arrays that the others point to (`--kernel-arrays`). Both may also be recorded (`--json`).
//!
//! A value belongs to the launch: it is the same for all threads. A size makes an array one of
//! known size, whose accesses are checked. Each value and size is an assumption of the report.

use std::borrow::Cow;
use std::time::Duration;

use lockstep_ir::assumption::{Assumed, Assumptions, GivenBy};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    self, ArrayOrigin, CompareOp, Kernel, NotPassed, Parameter, ParameterKind, SizedBy, Space, Type, VerifiedKernel,
};
use num_bigint::{BigInt, BigUint};

use super::settings::Settings;
use crate::findings;
use crate::frontend::ImportedKernel;
use crate::frontend::names::split_outside_brackets;
use crate::launch::recorded::RecordedArgument;
use crate::launch::relations::{Names, Relation, Term};
use crate::launch::{self, LaunchRequest, Passed};
use crate::lockstep::{LARGEST, LockstepOptions};
use crate::pipeline::withdraw::arrays_of;
use crate::report::{self, assumptions::given_by};

/// The time for runs that doubt findings, once the time of a kernel is up.
const TIME_TO_DOUBT: Duration = Duration::from_secs(3);

/// `--kernel-args`: values of a kernel's parameters that are passed by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelValues {
    /// The kernel's name.
    pub kernel: String,
    /// One value per parameter; `None` leaves it open.
    pub values: Vec<Option<BigInt>>,
    /// The origin of the values.
    pub by: GivenBy,
}

/// `--kernel-arrays`: sizes of the arrays that a kernel's parameters point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelArrays {
    /// The kernel's name.
    pub kernel: String,
    /// The sizes in bytes, one per parameter; `None` leaves it open.
    pub sizes: Vec<Option<u64>>,
    /// The origin of the sizes.
    pub by: GivenBy,
}

/// A kernel with its given arguments.
pub struct Given<'a> {
    /// The kernel, whose arrays have the given sizes.
    pub kernel: Cow<'a, VerifiedKernel>,
    /// The checks on the kernel.
    pub options: LockstepOptions,
    /// The kernel without the host's own numbers, if the other one has some.
    without_host: Option<Cow<'a, VerifiedKernel>>,
    /// The parameters with given values, and the values.
    pub arguments: Vec<(String, String)>,
    /// The assumptions that result from the arguments.
    pub assumptions: Assumptions,
}

impl Settings {
    /// Applies the command line's values and sizes to a kernel. The dynamic shared memory and the
    /// arguments of the source's launch apply where the command line gives none. The result is an
    /// error if they do not fit the kernel's parameters.
    pub fn given<'a>(
        &self,
        imported: &ImportedKernel,
        kernel: &'a VerifiedKernel,
        asked: &LaunchRequest,
    ) -> Result<Given<'a>, String> {
        let give = |given: &mut Given, changed: &mut Kernel, with_host: bool| {
            if let Some(values) = self.kernel_values.iter().find(|values| imported.is_called(&values.kernel)) {
                given.values(changed, values)?;
            } else {
                given.launched(changed, asked, with_host)?;
            }
            if let Some(sizes) = self.kernel_arrays.iter().find(|sizes| imported.is_called(&sizes.kernel)) {
                given.sizes(changed, sizes)?;
            } else {
                given.launched_arrays(changed, &asked.array_bytes);
                given.allocations(changed, &imported.pointees, asked, with_host);
            }
            if let Some(bytes) = asked.shared_bytes {
                launch::size_dynamic_shared(changed, bytes);
            }
            Ok(())
        };
        let given = self.with(kernel, |given, changed| give(given, changed, false))?;
        if asked.host.is_empty() && asked.allocations.is_empty() {
            return Ok(given);
        }
        let with_host = self.with(kernel, |given, changed| give(given, changed, true))?;
        Ok(Given { without_host: Some(given.kernel), ..with_host })
    }

    /// Applies the arguments of a recorded launch to a kernel. The result is an error if they do
    /// not fit its parameters.
    pub fn recorded<'a>(
        &self,
        kernel: &'a VerifiedKernel,
        arguments: &[RecordedArgument],
    ) -> Result<Given<'a>, String> {
        self.with(kernel, |given, changed| given.recorded(changed, arguments))
    }

    fn with<'a>(
        &self,
        kernel: &'a VerifiedKernel,
        give: impl FnOnce(&mut Given, &mut Kernel) -> Result<(), String>,
    ) -> Result<Given<'a>, String> {
        let mut given = Given {
            kernel: Cow::Borrowed(kernel),
            options: self.lockstep.clone(),
            without_host: None,
            arguments: Vec::new(),
            assumptions: Assumptions::default(),
        };
        let mut changed = (**kernel).clone();
        give(&mut given, &mut changed)?;
        if changed.arrays != kernel.arrays || changed.instructions.len() != kernel.instructions.len() {
            let verified = kernel::verify(changed).map_err(|problems| {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                format!("what is given does not fit: {}", problems.join("; "))
            })?;
            given.kernel = Cow::Owned(verified);
        }
        Ok(given)
    }
}

/// The word with which `lockstep run` gets the sizes of what the host allocates, if they are known.
pub fn sizes_word(name: &str, kernel: &Kernel, asked: &LaunchRequest) -> Option<String> {
    let is_known = asked.array_bytes.iter().any(Option::is_some)
        || asked.allocations.iter().any(|allocation| allocation.bytes().is_some());
    let arrays = kernel.parameters.iter().filter_map(|parameter| match parameter.kind {
        ParameterKind::Pointer(array) => Some(array),
        _ => None,
    });
    let size = |array| kernel.arrays[array].size.map_or_else(|| "*".to_owned(), |bytes| bytes.to_string());
    let sizes: Vec<String> = arrays.map(size).collect();
    is_known.then(|| format!("--kernel-arrays={name},{}", sizes.join(",")))
}

impl Given<'_> {
    /// The kernel that is run: its parameters are those of the source.
    pub fn for_runs(&self) -> &VerifiedKernel {
        self.without_host.as_ref().unwrap_or(&self.kernel)
    }

    /// The options of runs that tell whether a finding is one of the program. They have some time
    /// in any case: a defect that is not looked at again would be told although it may be none.
    pub fn to_doubt(&self) -> LockstepOptions {
        LockstepOptions { deadline: self.options.deadline.at_least(TIME_TO_DOUBT), ..self.options.clone() }
    }

    fn values(&mut self, kernel: &mut Kernel, given: &KernelValues) -> Result<(), String> {
        let by_value = |kind: &ParameterKind| matches!(kind, ParameterKind::Scalar(_) | ParameterKind::Aggregate(_));
        // GPUVerify counts samplers, which it treats as numbers.
        let or_sampler = |kind: &ParameterKind| by_value(kind) || *kind == ParameterKind::Opaque;
        let count = |counts: &dyn Fn(&ParameterKind) -> bool| {
            kernel.passed().iter().filter(|parameter| counts(&parameter.kind)).count()
        };
        let counted: &dyn Fn(&ParameterKind) -> bool = match given.values.len() {
            number if number == count(&by_value) => &by_value,
            number if number == count(&or_sampler) => &or_sampler,
            number => {
                return Err(format!(
                    "--kernel-args gives {} for kernel {}, which has {} passed by value",
                    report::count(number, "value"),
                    kernel.name,
                    report::count(count(&by_value), "parameter")
                ));
            }
        };
        let parameters = kernel.passed().to_vec();
        let counted = parameters.iter().filter(|parameter| counted(&parameter.kind));
        for (parameter, value) in counted.zip(&given.values) {
            self.value(kernel, parameter, value.as_ref(), given.by)?;
        }
        self.fields(kernel);
        Ok(())
    }

    /// Gives the fields of structs the values that they have in the given structs.
    fn fields(&mut self, kernel: &Kernel) {
        for (_, parameter, field) in kernel.field_parameters() {
            let ParameterKind::Scalar(ty) = parameter.kind else { continue };
            let bytes = match kernel.passed()[field.parameter as usize].kind {
                ParameterKind::Aggregate(array) => kernel.arrays[array].contents.as_deref(),
                _ => None,
            };
            let width = ty.width().filter(|_| ty != Type::Bool);
            self.options.arguments.push(bytes.zip(width).and_then(|(bytes, width)| field_of(bytes, field.at, width)));
        }
    }

    /// Applies the arguments of the source's launch, and the relations among them, sizes and
    /// numbers of the host.
    ///
    /// Those numbers are further parameters, as they are one number in all threads. A run needs no
    /// values for them: it has the kernel without, whose preconditions are weaker.
    fn launched(&mut self, kernel: &mut Kernel, asked: &LaunchRequest, with_host: bool) -> Result<(), String> {
        let of_launch = |number: &Term| with_host || !matches!(number, Term::Host { .. });
        let ranges = || asked.ranges.iter().filter(|(number, _)| of_launch(number));
        let equations = || asked.relations.iter().filter(|relation| with_host || !relation.names_host());
        let bounds = ranges().flat_map(|(number, range)| range.relations(number));
        let relations: Vec<Relation> = equations().cloned().chain(bounds).collect();
        let host = kernel.parameters.len();
        for number in asked.host.iter().filter(|_| with_host) {
            kernel.add_not_passed(&number.name, Type::Bits(number.width), NotPassed::Host);
        }
        for relation in relations.iter().rev() {
            relation.assume(kernel, host);
        }
        let argument = |index: usize| kernel.parameters[index].name.clone();
        let names = Names { argument: &argument, host: &asked.host };
        let equations = equations().map(|relation| relation.text(&names));
        let ranges = ranges().map(|(number, range)| range.text(&number.text(&names, false), number.width()));
        let computed = |equation: String| Assumed::HostComputes { equation }.everywhere();
        self.assumptions.extend(equations.chain(ranges).map(computed));
        for (parameter, value) in kernel.parameters.clone().iter().zip(&asked.arguments) {
            let value = value.as_ref().map(|value| BigInt::from(value.unsigned().clone()));
            self.value(kernel, parameter, value.as_ref(), GivenBy::Launch)?;
        }
        Ok(())
    }

    /// Applies the sizes of the memory that the source's launch passes.
    fn launched_arrays(&mut self, kernel: &mut Kernel, bytes: &[Option<u64>]) {
        for (parameter, bytes) in kernel.parameters.clone().iter().zip(bytes) {
            if let (&ParameterKind::Pointer(array), &Some(bytes)) = (&parameter.kind, bytes)
                && !matches!(kernel.arrays[array].origin, ArrayOrigin::Image { .. })
                && kernel.arrays[array].size.is_none()
            {
                self.size(kernel, array, bytes, GivenBy::Launch);
            }
        }
    }

    /// Applies the sizes of the memory that the host allocates. Those that are not constant are
    /// further parameters. A run has no arrays of such sizes.
    fn allocations(
        &mut self,
        kernel: &mut Kernel,
        pointees: &[(Passed, String)],
        asked: &LaunchRequest,
        with_host: bool,
    ) {
        // The numbers of the host are the last parameters, if they were added at all.
        let host = kernel.parameters.len().saturating_sub(if with_host { asked.host.len() } else { 0 });
        for allocation in &asked.allocations {
            let &[array] = arrays_of(kernel, pointees, allocation.place).as_slice() else { continue };
            let data = &kernel.arrays[array];
            if data.size.is_some() || data.sized_by.is_some() || matches!(data.origin, ArrayOrigin::Image { .. }) {
                continue;
            }
            if let Some(bytes) = allocation.bytes() {
                // An array without any byte stands for a function.
                if (1..1 << LARGEST).contains(&bytes) {
                    self.size(kernel, array, bytes, GivenBy::Launch);
                }
                continue;
            }
            if !with_host || kernel.pointer_bits != 64 {
                continue;
            }
            let (name, unit, count) = (data.name.clone(), allocation.unit, allocation.count.clone());
            let argument = |index: usize| kernel.parameters[index].name.clone();
            let shown = count.text(&Names { argument: &argument, host: &asked.host }, unit != 1);
            let parameter = kernel.parameters.len();
            kernel.add_not_passed(&format!("units({name})"), Type::Bits(64), NotPassed::Host);
            let units = || Term::Host { index: parameter - host, width: 64 };
            let most = Term::Constant(Bits::new(64, (1_u64 << LARGEST) / unit));
            Relation { op: CompareOp::UnsignedLessEqual, left: units(), right: most }.assume(kernel, host);
            Relation { op: CompareOp::Equal, left: units(), right: count }.assume(kernel, host);
            kernel.arrays[array].sized_by = u32::try_from(parameter).ok().map(|parameter| SizedBy { parameter, unit });
            self.assumptions.add(Assumed::HostAllocates { name, count: shown, unit }.everywhere());
            self.assumptions.add(Assumed::AllocationsSucceed { exponent: LARGEST }.everywhere());
        }
    }

    /// The value of a parameter that is passed by value.
    fn value(
        &mut self,
        kernel: &mut Kernel,
        Parameter { name, kind }: &Parameter,
        value: Option<&BigInt>,
        by: GivenBy,
    ) -> Result<(), String> {
        let shown = match (kind, value) {
            (ParameterKind::Scalar(ty), value) => {
                let value = value.map(|value| scalar(name, *ty, value, by)).transpose()?.flatten();
                let shown = value.as_ref().map(findings::number);
                self.options.arguments.push(value);
                shown
            }
            (ParameterKind::Aggregate(array), Some(value)) => {
                let data = &mut kernel.arrays[*array];
                data.contents = Some(contents(name, data.size.unwrap_or_default(), value, by)?);
                Some(format!("{value:#x}"))
            }
            (ParameterKind::Aggregate(_), None) | (ParameterKind::Pointer(_) | ParameterKind::Opaque, _) => None,
        };
        if let Some(shown) = shown {
            self.assumptions.add(Assumed::Argument { name: name.clone(), value: shown.clone(), by }.everywhere());
            self.arguments.push((name.clone(), shown));
        }
        Ok(())
    }

    fn sizes(&mut self, kernel: &mut Kernel, given: &KernelArrays) -> Result<(), String> {
        let arrays = kernel.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Pointer(array) => Some(array),
            ParameterKind::Scalar(_) | ParameterKind::Aggregate(_) | ParameterKind::Opaque => None,
        });
        let arrays: Vec<kernel::Array> = arrays.collect();
        if arrays.len() != given.sizes.len() {
            return Err(format!(
                "--kernel-arrays gives {} for kernel {}, which has {}",
                report::count(given.sizes.len(), "size"),
                kernel.name,
                report::count(arrays.len(), "pointer parameter")
            ));
        }
        for (array, size) in arrays.into_iter().zip(&given.sizes) {
            let Some(size) = *size else { continue };
            if matches!(kernel.arrays[array].origin, ArrayOrigin::Image { .. }) {
                let name = &kernel.arrays[array].name;
                return Err(format!("--kernel-arrays: {name} is an image, which has no size in bytes: write `*`"));
            }
            self.size(kernel, array, size, given.by);
        }
        Ok(())
    }

    fn size(&mut self, kernel: &mut Kernel, array: kernel::Array, size: u64, by: GivenBy) {
        let data = &mut kernel.arrays[array];
        data.size = Some(size);
        self.assumptions.add(Assumed::ArraySize { name: data.name.clone(), bytes: size, by }.everywhere());
    }

    /// Applies recorded arguments. They stand in the order of the parameters, so that those of
    /// another kernel are noticed.
    fn recorded(&mut self, kernel: &mut Kernel, arguments: &[RecordedArgument]) -> Result<(), String> {
        let parameters = kernel.passed().to_vec();
        if parameters.len() != arguments.len() {
            return Err(format!(
                "{} recorded, and there are {}",
                report::count(arguments.len(), "argument"),
                report::count(parameters.len(), "parameter")
            ));
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let is_image = |array: kernel::Array| matches!(kernel.arrays[array].origin, ArrayOrigin::Image { .. });
            match (&parameter.kind, argument) {
                (ParameterKind::Scalar(_) | ParameterKind::Aggregate(_), RecordedArgument::Scalar(value)) => {
                    self.value(kernel, parameter, value.as_ref(), GivenBy::Recording)?;
                }
                (&ParameterKind::Pointer(array), &RecordedArgument::Array { size, space }) if !is_image(array) => {
                    let actual = kernel.arrays[array].space;
                    if let Some(space) = space.filter(|&space| space != actual) {
                        let (name, space, actual) = (&parameter.name, space_name(space), space_name(actual));
                        return Err(format!("{name} is recorded as an array in {space}, and is in {actual}"));
                    }
                    if let Some(size) = size {
                        self.size(kernel, array, size, GivenBy::Recording);
                    }
                }
                (&ParameterKind::Pointer(array), RecordedArgument::Image) if is_image(array) => {}
                (ParameterKind::Opaque, RecordedArgument::Sampler) => {}
                (_, other) => {
                    let recorded = match other {
                        RecordedArgument::Scalar(_) => "a scalar",
                        RecordedArgument::Array { .. } => "an array",
                        RecordedArgument::Image => "an image",
                        RecordedArgument::Sampler => "a sampler",
                    };
                    return Err(format!("{} is recorded as {recorded}, which it is not", parameter.name));
                }
            }
        }
        self.fields(kernel);
        Ok(())
    }
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global memory",
        Space::Local => "local memory",
        Space::Constant => "constant memory",
        Space::Private => "private memory",
        Space::Generic => "any memory",
    }
}

/// The value of a scalar; `None` for a Boolean, whose value is not used.
fn scalar(name: &str, ty: Type, value: &BigInt, by: GivenBy) -> Result<Option<Bits>, String> {
    match ty.width().filter(|_| ty != Type::Bool) {
        Some(width) if fits(value, width) => Ok(Some(Bits::from_signed(width, value.clone()))),
        Some(width) => Err(format!("{}: {value} does not fit {name}, which has {width} bits", given_by(by))),
        None => Ok(None),
    }
}

/// The bytes of a struct, the first in the lowest bits.
fn contents(name: &str, size: u64, value: &BigInt, by: GivenBy) -> Result<Vec<u8>, String> {
    let width = u32::try_from(8 * size).ok().filter(|&width| width > 0 && fits(value, width));
    let Some(width) = width else {
        return Err(format!(
            "{}: {value:#x} does not fit {name}, which has {}",
            given_by(by),
            report::count(size, "byte")
        ));
    };
    let mut bytes = Bits::from_signed(width, value.clone()).unsigned().to_bytes_le();
    bytes.resize(usize::try_from(size).unwrap_or_default(), 0);
    Ok(bytes)
}

/// The number of this width at an offset in the bytes of a struct.
fn field_of(bytes: &[u8], at: u64, width: u32) -> Option<Bits> {
    let start = usize::try_from(at).ok()?;
    let length = usize::try_from(width.div_ceil(8)).ok()?;
    let bytes = bytes.get(start..start.checked_add(length)?)?;
    Some(Bits::new(width, BigUint::from_bytes_le(bytes)))
}

/// Whether a number fits into this many bits, with or without sign.
fn fits(value: &BigInt, width: u32) -> bool {
    let most = BigInt::from(1) << width;
    *value < most && -value <= most >> 1
}

/// Reads `--kernel-args`.
pub fn parse_kernel_values(text: &str) -> Result<KernelValues, String> {
    let (kernel, values) = name_and_values(text)?;
    let values = values.map(|value| open_or(value, parse_number)).collect::<Result<_, _>>()?;
    Ok(KernelValues { kernel, values, by: GivenBy::Values })
}

/// Reads `--kernel-arrays`.
pub fn parse_kernel_arrays(text: &str) -> Result<KernelArrays, String> {
    let (kernel, sizes) = name_and_values(text)?;
    let size = |text: &str| {
        let number = parse_number(text).ok().and_then(|number| u64::try_from(number).ok());
        // The limit is more than any device has, and few enough bytes to count with.
        number
            .filter(|number| (1..1 << 56).contains(number))
            .ok_or_else(|| format!("`{text}` is not a size in bytes, from 1 to 2^56, and not `*`"))
    };
    let sizes = sizes.map(|text| open_or(text, size)).collect::<Result<_, _>>()?;
    Ok(KernelArrays { kernel, sizes, by: GivenBy::Sizes })
}

fn name_and_values(text: &str) -> Result<(String, impl Iterator<Item = &str>), String> {
    let mut parts = split_outside_brackets(text).into_iter().map(str::trim);
    let kernel = parts.next().filter(|name| !name.is_empty()).ok_or("a kernel's name comes first")?.to_owned();
    Ok((kernel, parts))
}

fn open_or<T>(text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text == "*" { Ok(None) } else { parse(text).map(Some) }
}

/// A number as the command line and recorded launches write it: decimal, or with `0x`.
pub fn parse_number(text: &str) -> Result<BigInt, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16).map(BigInt::from),
        None => BigInt::parse_bytes(text.as_bytes(), 10),
    };
    number.ok_or_else(|| format!("`{text}` is not a number, and not `*`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_sizes() {
        let values = parse_kernel_values("foo,0x10,*,-1").unwrap();
        assert_eq!((values.kernel.as_str(), values.values), ("foo", vec![Some(16.into()), None, Some((-1).into())]));
        let sizes = parse_kernel_arrays("foo,256,*,0x10").unwrap();
        assert_eq!(sizes.sizes, [Some(256), None, Some(16)]);
        for text in ["foo,x", ",1", "foo,", "foo,0x", "foo,1.5"] {
            assert!(parse_kernel_values(text).is_err(), "{text}");
            assert!(parse_kernel_arrays(text).is_err(), "{text}");
        }
        assert!(parse_kernel_arrays("foo,0").is_err() && parse_kernel_arrays("foo,-4").is_err());
    }

    #[test]
    fn numbers_fit_with_or_without_sign() {
        let fitting = [-129, -128, -1, 0, 127, 255, 256].map(|number| fits(&number.into(), 8));
        assert_eq!(fitting, [false, true, true, true, true, true, false]);
    }

    #[test]
    fn the_first_byte_of_a_struct_is_the_lowest() {
        assert_eq!(contents("s", 4, &0x0102.into(), GivenBy::Values), Ok(vec![2, 1, 0, 0]));
        assert!(
            contents("s", 1, &256.into(), GivenBy::Values).is_err()
                && contents("s", 0, &0.into(), GivenBy::Values).is_err()
        );
    }
}
