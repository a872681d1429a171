//! The arguments of a kernel: `--arg NAME=VALUE`, and default values.
//!
//! The value of an array has one of these forms: `zeros:TYPE*COUNT`, `iota:TYPE*COUNT` (0, 1, 2…),
//! `iota@STEP:TYPE*COUNT`, `random:TYPE*COUNT` (with an optional `@SEED` suffix), `[1, 2, 3]` or
//! `TYPE[1, 2, 3]`, or `file:PATH` (raw bytes, or a NumPy array). A number fills every element. The
//! type may be omitted if the kernel declares one, and `*COUNT` if any element may be accessed. The
//! value of a parameter that is passed by value is a number. An image has its sizes after its
//! contents ([`images::image`]). `@NAME` is the buffer of another parameter ([`one_buffer`]).

use std::fmt;
use std::fs;
use std::path::Path;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayData, ArrayOrigin, FloatType, Kernel, Parameter, ParameterKind, Space, Type};
use lockstep_system::bounded;
use num_bigint::BigInt;

use super::memory::{Addresses, Element, Fill, OPEN_SIZE, Region};
use super::one_buffer;
use super::{Grid, Input, floats, images, is_of_launch};

/// A value for a parameter, as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The parameter's name.
    pub name: String,
    /// Its value, as text.
    pub value: String,
}

/// Reads `NAME=VALUE`.
pub fn parse_given(text: &str) -> Result<Given, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok(Given { name: name.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err("an argument is NAME=VALUE, such as n=1024 or A=zeros:float*1024".to_owned()),
    }
}

/// A parameter's value in words for the report, with its origin: the command line, or a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedArgument {
    /// The parameter's name.
    pub name: String,
    /// Its value in words: `zeros`, `1024`.
    pub value: String,
    /// Whether the value is a default.
    pub chosen: bool,
}

/// The input of a launch, and the values to report.
pub struct Prepared {
    /// The input.
    pub input: Input,
    /// The parameters' values, for the report.
    pub described: Vec<DescribedArgument>,
    /// The element type with which each array is shown.
    pub elements: Vec<Option<Element>>,
}

/// The largest local memory of any device.
const MOST_LOCAL_BYTES: u64 = 1 << 20;

/// The size in bytes of local memory that a kernel's parameter points to, if none is given.
const LOCAL_BYTES: u64 = 48 << 10;

/// The input of a launch: the `given` values, and otherwise the `launched` ones.
///
/// `launched` has the numbers that parameters have in the launch, one entry per parameter. An error
/// describes an invalid argument.
pub fn prepare(kernel: &Kernel, grid: &Grid, given: &[Given], launched: &[Option<Bits>]) -> Result<Prepared, String> {
    for (index, argument) in given.iter().enumerate() {
        let known = kernel.parameters.iter().map(|parameter| parameter.name.as_str());
        let behind = behind_fields(kernel).map(|(_, data)| data.name.as_str());
        let known: Vec<&str> = known.chain(behind).collect();
        if !known.contains(&argument.name.as_str()) {
            return Err(format!("no parameter `{}`; there are: {}", argument.name, known.join(", ")));
        }
        if given[..index].iter().any(|before| before.name == argument.name) {
            return Err(format!("`{}` is given twice", argument.name));
        }
    }
    let largest = Addresses::new(kernel.arrays.len(), if kernel.pointer_bits == 32 { 4 } else { 8 }).largest();
    let open_size = OPEN_SIZE.min(largest);
    let mut regions: Vec<Region> = Vec::new();
    let mut local_bytes = Vec::new();
    let mut elements = Vec::new();
    for data in kernel.arrays.values() {
        let fill = Fill::Bytes(data.contents.clone().unwrap_or_default());
        let size = if is_of_launch(data.space) { data.size.unwrap_or(open_size) } else { 0 };
        regions.push(Region::new(size, fill));
        local_bytes.push(if data.space == Space::Local { data.size.unwrap_or(LOCAL_BYTES) } else { 0 });
        elements.push(declared(data));
    }
    let mut prepared = Prepared {
        input: Input { regions, local_bytes, private: Vec::new(), values: Vec::new() },
        described: Vec::new(),
        elements,
    };
    for (index, (_, data)) in (0..).zip(&kernel.arrays) {
        if let (Space::Private, Some(contents)) = (data.space, &data.contents) {
            prepared.input.private.push((index, contents.clone()));
        }
    }
    let mut launched = launched.iter();
    for (index, parameter) in (0..).zip(&kernel.parameters) {
        let is_number = matches!(parameter.kind, ParameterKind::Scalar(_));
        let launched = if is_number { launched.next().and_then(Option::as_ref) } else { None };
        let text = given.iter().find(|given| given.name == parameter.name).map(|given| given.value.as_str());
        let of_struct = if text.is_none() { prepared.in_struct(kernel, index) } else { None };
        match of_struct {
            Some(words) => prepared.input.values.push((index, words)),
            None => prepared.parameter(kernel, grid, index, parameter, (text, launched))?,
        }
    }
    for (array, data) in behind_fields(kernel) {
        let Some(given) = given.iter().find(|given| given.name == data.name) else { continue };
        let wrong = |problem: String| format!("--arg {}: {problem}", data.name);
        let value = if one_buffer::is_other(&given.value) {
            one_buffer::check(kernel, array).map_err(wrong)?;
            given.value.clone()
        } else {
            prepared.fill(kernel, array, Some(&given.value)).map_err(wrong)?
        };
        prepared.described.push(DescribedArgument { name: data.name.clone(), value, chosen: false });
    }
    Ok(prepared)
}

/// The arrays that pointer fields of a parameter point to, such as `image.pixels`.
///
/// Arguments refer to them by these names.
pub fn behind_fields(kernel: &Kernel) -> impl Iterator<Item = (Array, &ArrayData)> {
    let is_parameter = |array: Array| {
        kernel.parameters.iter().any(|parameter| match parameter.kind {
            ParameterKind::Pointer(of_parameter) | ParameterKind::Aggregate(of_parameter) => of_parameter == array,
            ParameterKind::Scalar(_) | ParameterKind::Opaque => false,
        })
    };
    kernel.arrays.iter().filter(move |(array, data)| {
        data.origin == ArrayOrigin::Parameter && is_of_launch(data.space) && !is_parameter(*array)
    })
}

impl Prepared {
    /// The value of a parameter that is a field of a struct with given bytes.
    fn in_struct(&self, kernel: &Kernel, index: u32) -> Option<Vec<u64>> {
        let (_, parameter, field) = kernel.field_parameters().find(|(at, ..)| u32::try_from(*at) == Ok(index))?;
        let (ParameterKind::Aggregate(array), ParameterKind::Scalar(ty)) =
            (&kernel.passed()[field.parameter as usize].kind, &parameter.kind)
        else {
            return None;
        };
        let array = usize::try_from(array.as_u32()).ok()?;
        let (_, bytes) = self.input.private.iter().find(|(of, _)| *of == array)?;
        let (start, length) = (usize::try_from(field.at).ok()?, usize::try_from(ty.width()?.div_ceil(8)).ok()?);
        // The bytes that are not given are zeros.
        let bytes: Vec<u8> = (start..start + length).map(|at| bytes.get(at).copied().unwrap_or(0)).collect();
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
        Some(bytes.chunks(8).map(word).collect())
    }

    fn parameter(
        &mut self,
        kernel: &Kernel,
        grid: &Grid,
        index: u32,
        parameter: &Parameter,
        (text, launched): (Option<&str>, Option<&Bits>),
    ) -> Result<(), String> {
        let name = parameter.name.clone();
        let wrong = |problem: String| format!("--arg {name}: {problem}");
        let contents = match &parameter.kind {
            ParameterKind::Scalar(ty) => {
                let ty = *ty;
                let width = ty.width().ok_or_else(|| wrong("a pointer in a number's place".to_owned()))?;
                let (bits, value) = match (text, launched) {
                    (Some(text), _) => (number(text, ty).map_err(wrong)?, text.to_owned()),
                    (None, Some(bits)) => (bits.clone(), bits.unsigned().to_string()),
                    (None, None) => by_default(ty, width, grid),
                };
                let mut words: Vec<u64> = bits.unsigned().iter_u64_digits().collect();
                words.resize(usize::try_from(width.div_ceil(64)).expect("small"), 0);
                self.input.values.push((index, words));
                Some(value)
            }
            ParameterKind::Pointer(array) => {
                let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
                let data = &kernel.arrays[*array];
                if let Some(text) = text.filter(|text| one_buffer::is_other(text)) {
                    one_buffer::check(kernel, *array).map_err(wrong)?;
                    self.input.regions[at] = Region::new(0, Fill::Bytes(Vec::new()));
                    Some(text.to_owned())
                } else if matches!(data.origin, ArrayOrigin::Image { .. }) {
                    let largest = self.input.regions[at].size;
                    let (region, value) = images::image(text, kernel, *array, largest).map_err(wrong)?;
                    self.elements[at] = text.and_then(|text| filled(text.rsplit_once('*')?.0, data).ok()?.element);
                    self.input.regions[at] = region;
                    Some(value)
                } else if data.space == Space::Local {
                    let bytes = text.map(|text| bytes_of_local(text, data)).transpose().map_err(wrong)?;
                    self.input.local_bytes[at] = bytes.unwrap_or(self.input.local_bytes[at]);
                    Some(text.map_or_else(|| format!("{} bytes", self.input.local_bytes[at]), ToOwned::to_owned))
                } else {
                    Some(self.fill(kernel, *array, text).map_err(wrong)?)
                }
            }
            ParameterKind::Aggregate(array) => match text {
                Some(text) => {
                    let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
                    let data = &kernel.arrays[*array];
                    let bytes = usize::try_from(data.size.unwrap_or(0)).expect("memory fits");
                    let filled = filled(text, data).map_err(wrong)?;
                    self.input.private.retain(|(other, _)| *other != at);
                    self.input.private.push((at, filled.fill.first_bytes(bytes)));
                    Some(text.to_owned())
                }
                None => None,
            },
            ParameterKind::Opaque => None,
        };
        match (contents, text) {
            (Some(value), text) => {
                let chosen = text.is_none() && launched.is_none();
                self.described.push(DescribedArgument { name: parameter.name.clone(), value, chosen });
                Ok(())
            }
            (None, None) => Ok(()),
            (None, Some(_)) => Err(wrong("a sampler cannot be given here".to_owned())),
        }
    }

    /// Fills memory of the launch as the text says, and returns its description for the report.
    fn fill(&mut self, kernel: &Kernel, array: Array, text: Option<&str>) -> Result<String, String> {
        let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
        let data = &kernel.arrays[array];
        let filled = filled(text.unwrap_or("zeros"), data)?;
        let open_size = self.input.regions[at].size;
        if let Some(size) = filled.size.filter(|size| *size >= open_size && data.size.is_none()) {
            return Err(format!("{size} bytes are too many: fewer than {open_size} can be given"));
        }
        let size = filled.size.unwrap_or(open_size);
        let is_open = filled.size.or(data.size).is_none();
        self.input.regions[at] = Region::new(size, filled.fill);
        self.input.regions[at].is_open = is_open;
        self.elements[at] = filled.element.or(self.elements[at]);
        Ok(text.unwrap_or("zeros, of any size").to_owned())
    }
}

/// The declared type of an array's elements, if numbers can be shown in it.
pub fn declared(data: &ArrayData) -> Option<Element> {
    element(&data.element.as_ref()?.name)
}

/// The component type of an array's elements, if numbers can be shown in it.
///
/// A `float4`, for example, consists of floats.
pub fn component(data: &ArrayData) -> Option<Element> {
    let layout = data.element.as_ref()?;
    // NumPy's `int8` has one byte; OpenCL's has eight integers.
    if let Some(element) = declared(data).filter(|element| element.bytes() == layout.bytes) {
        return Some(element);
    }
    element(layout.name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The type of an array's elements or components, as `--arg` takes it.
///
/// It defaults to 32-bit integers.
pub fn type_of_elements(data: &ArrayData) -> &'static str {
    match component(data) {
        Some(Element::Signed(1)) => "char",
        Some(Element::Signed(2)) => "short",
        Some(Element::Signed(8)) => "long",
        Some(Element::Signed(_)) | None => "int",
        Some(Element::Unsigned(1)) => "uchar",
        Some(Element::Unsigned(2) | Element::Float(FloatType::Bf16)) => "ushort",
        Some(Element::Unsigned(8)) => "ulong",
        Some(Element::Unsigned(_)) => "uint",
        Some(Element::Float(FloatType::F16)) => "half",
        Some(Element::Float(FloatType::F32)) => "float",
        Some(Element::Float(FloatType::F64)) => "double",
    }
}

/// The element with this type name.
fn element(name: &str) -> Option<Element> {
    let name = name.trim();
    Some(match name.strip_prefix("const ").unwrap_or(name) {
        "char" | "signed char" | "schar" | "int8" => Element::Signed(1),
        "uchar" | "unsigned char" | "bool" | "uint8" => Element::Unsigned(1),
        "short" | "int16" => Element::Signed(2),
        "ushort" | "unsigned short" | "uint16" => Element::Unsigned(2),
        "int" | "int32" => Element::Signed(4),
        "uint" | "unsigned int" | "unsigned" | "uint32" => Element::Unsigned(4),
        "long" | "long long" | "int64" => Element::Signed(8),
        "ulong" | "unsigned long" | "unsigned long long" | "uint64" | "size_t" => Element::Unsigned(8),
        "half" | "__half" | "float16" => Element::Float(FloatType::F16),
        "float" | "float32" => Element::Float(FloatType::F32),
        "double" | "float64" => Element::Float(FloatType::F64),
        _ => return None,
    })
}

/// An array described by text.
pub(super) struct Filled {
    /// Its contents.
    pub fill: Fill,
    /// Its size in bytes, if given.
    pub size: Option<u64>,
    /// Its element type.
    pub element: Option<Element>,
}

/// Parses the text of an array.
pub(super) fn filled(text: &str, data: &ArrayData) -> Result<Filled, String> {
    let (kind, rest) = text.split_once(':').filter(|(kind, _)| !kind.contains('{')).unwrap_or((text, ""));
    let made = |fill: &dyn Fn(Element) -> Fill| -> Result<Filled, String> {
        let (ty, count) = rest.split_once('*').map_or((rest, None), |(ty, count)| (ty, Some(count)));
        let element = typed(ty, data)?;
        let count =
            count.map(|count| count.trim().parse::<u64>().map_err(|_| format!("`{count}` is no number of elements")));
        let size = count.transpose()?.map(|count| count.saturating_mul(element.bytes()));
        Ok(Filled { fill: fill(element), size, element: Some(element) })
    };
    match kind.trim() {
        // A size requires a type; if neither is given, any bytes will do.
        "zeros" if rest.is_empty() => Ok(Filled { fill: Fill::zeros(), size: None, element: declared(data) }),
        "zeros" => made(&|_| Fill::zeros()),
        "iota" => made(&|element| Fill::Count(element, 1)),
        "file" => file(rest, data),
        kind => match kind.split_once('@').map_or((kind, "0"), |(kind, seed)| (kind, seed)) {
            ("iota", step) => {
                let step = step.trim().parse::<u64>().map_err(|_| format!("`{step}` is no step: it is a number"))?;
                made(&|element| Fill::Count(element, step))
            }
            ("random", seed) => {
                let seed = seed.trim().parse::<u64>().map_err(|_| format!("`{seed}` is no seed: it is a number"))?;
                made(&|element| Fill::Random(element, seed))
            }
            ("among", seed) => among(seed, rest, data),
            _ => literal(text, data),
        },
    }
}

/// Parses `among@SEED:int[0, 1, 4]`: each element is one of these, and their number is open.
fn among(seed: &str, rest: &str, data: &ArrayData) -> Result<Filled, String> {
    let seed = seed.trim().parse::<u64>().map_err(|_| format!("`{seed}` is no seed: it is a number"))?;
    let list = rest.trim().strip_suffix(']').and_then(|rest| rest.split_once('['));
    let (ty, numbers) = list.ok_or_else(|| "name the values, as in among:int[0, 1, 4]".to_owned())?;
    let element = typed(ty, data)?;
    let patterns = numbers.split(',').map(|number| pattern(number, element)).collect::<Result<Vec<_>, _>>()?;
    Ok(Filled { fill: Fill::Among(element, patterns, seed), size: None, element: Some(element) })
}

/// The element with this type name, or the declared one if the name is empty.
fn typed(name: &str, data: &ArrayData) -> Result<Element, String> {
    match (name.trim(), declared(data)) {
        ("", Some(element)) => Ok(element),
        ("", None) => Err("name the type of its elements, as in zeros:float*1024".to_owned()),
        (name, _) => {
            element(name).ok_or_else(|| format!("`{name}` is no type that is known here: int, uint, float, …"))
        }
    }
}

/// Parses `int{0: 5, 7: 9}`: these elements, by their indices, and zeros elsewhere.
fn sparse(ty: &str, elements: &str, data: &ArrayData) -> Result<Filled, String> {
    let element = typed(ty, data)?;
    let one = |text: &str| {
        let (index, value) = text.split_once(':').ok_or_else(|| format!("`{text}` is no element, such as 7: 9"))?;
        let index = index.trim().parse::<u64>().map_err(|_| format!("`{index}` is no index"))?;
        if let Some(size) = data.size.filter(|size| index.saturating_add(1).saturating_mul(element.bytes()) > *size) {
            return Err(format!("element {index} is beyond its {size} bytes"));
        }
        Ok::<_, String>((index, pattern(value, element)?))
    };
    let elements = elements.split(',').filter(|text| !text.trim().is_empty()).map(one).collect::<Result<_, _>>()?;
    Ok(Filled { fill: Fill::Sparse(element, elements), size: None, element: Some(element) })
}

/// Parses `[1, 2, 3]`, `float[1, 2]`, `int{0: 5}`, or one number for all elements.
fn literal(text: &str, data: &ArrayData) -> Result<Filled, String> {
    if let Some((ty, elements)) = text.strip_suffix('}').and_then(|text| text.split_once('{')) {
        return sparse(ty, elements, data);
    }
    let list = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let (ty, numbers) = list.unwrap_or(("", text));
    let element = typed(ty, data)?;
    let bytes = usize::try_from(element.bytes()).expect("at most 8");
    let one = |text: &str| Ok::<_, String>(pattern(text, element)?.to_le_bytes()[..bytes].to_vec());
    if list.is_none() {
        return Ok(Filled { fill: Fill::Same(one(numbers)?), size: None, element: Some(element) });
    }
    let all: Vec<Vec<u8>> = numbers.split(',').map(one).collect::<Result<_, _>>()?;
    let all = all.concat();
    let size = u64::try_from(all.len()).expect("memory fits");
    Ok(Filled { fill: Fill::Bytes(all), size: Some(size), element: Some(element) })
}

/// Raw bytes of a file, or the contents of a NumPy array.
fn file(path: &str, data: &ArrayData) -> Result<Filled, String> {
    let read = bounded::check_kind(Path::new(path)).and_then(|_| fs::read(path));
    let bytes = read.map_err(|error| format!("cannot read {path}: {error}"))?;
    let (bytes, element) = match bytes.strip_prefix(b"\x93NUMPY") {
        Some(rest) => {
            let (contents, element) = npy(rest).map_err(|what| format!("{path} {what}"))?;
            (contents, Some(element))
        }
        None => (bytes, declared(data)),
    };
    let size = u64::try_from(bytes.len()).expect("memory fits");
    Ok(Filled { fill: Fill::Bytes(bytes), size: Some(size), element })
}

/// The contents of a NumPy array, after its magic string: version, length of the header, header.
///
/// The error describes the defect of the file, which may end anywhere.
fn npy(rest: &[u8]) -> Result<(Vec<u8>, Element), String> {
    let cut = || "is an array of NumPy's that is cut short: its header is not complete".to_owned();
    let unknown = |what: &str| format!("is an array of NumPy's {what}, which is not supported");
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => {
            (usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).map_err(|_| cut())?, rest)
        }
        [version, ..] if *version > 3 => return Err(unknown(&format!("of format {version}"))),
        _ => return Err(cut()),
    };
    let (header, contents) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header = std::str::from_utf8(header).map_err(|_| unknown("whose header is no text"))?;
    if !header.contains("'fortran_order': False") {
        return Err(unknown("in Fortran order"));
    }
    let ty = header.split_once("'descr': '").and_then(|(_, after)| after.split_once('\'')).map(|(ty, _)| ty);
    let element = ty.and_then(of_npy).ok_or_else(|| unknown("whose elements are no little-endian numbers"))?;
    let needed = npy_elements(header).and_then(|count| count.checked_mul(element.bytes()));
    let needed = needed.ok_or_else(|| unknown("without a shape"))?;
    let there = u64::try_from(contents.len()).expect("memory fits");
    if there < needed {
        return Err(format!(
            "is an array of NumPy's that is cut short: its header promises {needed} bytes, and there are {there}"
        ));
    }
    Ok((contents.to_vec(), element))
}

/// The number of elements according to the header: `'shape': (2, 3), `; `()` is a single element.
fn npy_elements(header: &str) -> Option<u64> {
    let (_, after) = header.split_once("'shape': (")?;
    let (shape, _) = after.split_once(')')?;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    sizes.map(|size| size.parse::<u64>().ok()).try_fold(1u64, |product, size| product.checked_mul(size?))
}

/// The element for NumPy's name of a little-endian type.
fn of_npy(ty: &str) -> Option<Element> {
    let mut parts = ty.chars();
    let (order, kind) = (parts.next()?, parts.next()?);
    let bytes: u8 = parts.as_str().parse().ok()?;
    let element = match (order, kind, bytes) {
        ('<' | '|', 'i', 1 | 2 | 4 | 8) => Element::Signed(bytes),
        ('<' | '|', 'u' | 'b', 1 | 2 | 4 | 8) => Element::Unsigned(bytes),
        ('<', 'f', 2) => Element::Float(FloatType::F16),
        ('<', 'f', 4) => Element::Float(FloatType::F32),
        ('<', 'f', 8) => Element::Float(FloatType::F64),
        _ => return None,
    };
    Some(element)
}

/// The header of a one-dimensional NumPy array, including the magic string.
pub fn npy_header(element: Element, count: u64) -> Vec<u8> {
    let ty = match element {
        Element::Signed(1) => "|i1".to_owned(),
        Element::Unsigned(1) => "|u1".to_owned(),
        Element::Signed(bytes) => format!("<i{bytes}"),
        Element::Unsigned(bytes) => format!("<u{bytes}"),
        Element::Float(ty) => format!("<f{}", ty.width() / 8),
    };
    let mut header = format!("{{'descr': '{ty}', 'fortran_order': False, 'shape': ({count},), }}");
    // The total size of magic string, version, length and header is a multiple of 64 bytes; the
    // header ends with a newline.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    let length = u16::try_from(header.len()).expect("a short header");
    [b"\x93NUMPY\x01\x00".as_slice(), &length.to_le_bytes(), header.as_bytes()].concat()
}

/// The requested bytes of local memory: `1024` or `zeros:float*256`.
fn bytes_of_local(text: &str, data: &ArrayData) -> Result<u64, String> {
    let size = text.parse().ok().or_else(|| filled(text, data).ok()?.size);
    size.filter(|bytes| *bytes <= MOST_LOCAL_BYTES).ok_or_else(|| {
        format!("`{text}` is no size of local memory: a number of bytes, at most 1048576, or such as zeros:float*256")
    })
}

/// The bit pattern of a number as an element.
fn pattern(text: &str, element: Element) -> Result<u64, String> {
    let ty = match element {
        Element::Signed(bytes) | Element::Unsigned(bytes) => Type::Bits(u32::from(bytes) * 8),
        Element::Float(ty) => Type::Float(ty),
    };
    number(text, ty).map(|bits| bits.to_u64().expect("at most 64 bits"))
}

/// A number as a value of a type; an integer may be hexadecimal, and signed or unsigned.
fn number(text: &str, ty: Type) -> Result<Bits, String> {
    let text = text.trim();
    let not_one = || format!("`{text}` is no number of {}", in_words(ty));
    match ty {
        Type::Float(float) => {
            let literal =
                text.strip_suffix('f').filter(|text| text.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
            let value: f64 = literal.unwrap_or(text).parse().map_err(|_| not_one())?;
            Ok(Bits::new(float.width(), floats::pattern(float, value)))
        }
        Type::Bool => match text {
            "true" | "1" => Ok(Bits::one(1)),
            "false" | "0" => Ok(Bits::zero(1)),
            _ => Err(not_one()),
        },
        Type::Bits(width) => {
            let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
            let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
            let (digits, base) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
            let value = BigInt::parse_bytes(digits.as_bytes(), base).ok_or_else(not_one)?;
            let value = if negative { -value } else { value };
            let (least, most) = (-(BigInt::from(1) << (width - 1)), BigInt::from(1) << width);
            if value < least || value >= most {
                return Err(not_one());
            }
            Ok(Bits::from_signed(width, value))
        }
        Type::Pointer(_) => Err(not_one()),
    }
}

fn in_words(ty: Type) -> String {
    match ty {
        Type::Bool => "true and false".to_owned(),
        Type::Bits(width) => format!("{width} bits"),
        Type::Float(float) => format!("{} bits with a fraction", float.width()),
        Type::Pointer(_) => "a pointer".to_owned(),
    }
}

/// The default of a number: the number of threads for an integer, and 1 for a float.
fn by_default(ty: Type, width: u32, grid: &Grid) -> (Bits, String) {
    match ty {
        Type::Float(float) => (Bits::new(width, floats::pattern(float, 1.0)), "1.0".to_owned()),
        Type::Bool => (Bits::one(1), "true".to_owned()),
        Type::Bits(_) | Type::Pointer(_) => {
            let threads = grid.groups() * grid.group_threads();
            let most = if width > 63 { u64::MAX } else { (1 << (width - 1)) - 1 };
            let count = threads.min(most);
            (Bits::new(width, count), count.to_string())
        }
    }
}

impl fmt::Display for DescribedArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}{}", self.name, self.value, if self.chosen { " (chosen here)" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npy_files_may_end_anywhere() {
        let header = npy_header(Element::Signed(4), 3);
        let whole = [&header[6..], &[7; 12][..]].concat();
        assert_eq!(npy(&whole).map(|(contents, _)| contents.len()), Ok(12));
        for length in 0..whole.len() {
            let said = npy(&whole[..length]).expect_err("it is cut short");
            assert!(said.contains("cut short"), "{length}: {said}");
        }
        let text = String::from_utf8(header[10..].to_vec()).expect("text");
        let with = |from: &str, to: &str| {
            let text = text.replace(from, to);
            let length = u16::try_from(text.len()).expect("short").to_le_bytes();
            npy(&[&[1, 0][..], &length, text.as_bytes(), &[7; 12]].concat())
        };
        assert_eq!(with("(3,)", "(1, 3)").map(|(contents, _)| contents.len()), Ok(12));
        for (from, to, said) in [
            ("(3,)", "(2, 2)", "promises 16 bytes, and there are 12"),
            ("(3,)", "(99999999999, 99999999999)", "without a shape"),
            ("False", "True", "Fortran"),
            ("<i4", ">i4", "little-endian"),
        ] {
            let error = with(from, to).expect_err(to);
            assert!(error.contains(said), "{to}: {error}");
        }
    }
}
