//! Files of recorded launches: the launches that a program's host side requested from a device
//! (`--json`).
//!
//! Such a file is a JSON array with an object per launch, in the format of GPUVerify's users
//! (docs/compatibility.md lists its fields). [`read`] parses it and rejects any other form, with
//! line and column. Callers that have the kernel check that a launch fits it.

use std::fmt;

use lockstep_ir::kernel::{Language, Space};
use num_bigint::BigInt;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::size::LARGEST;
use super::{Extent, Size};

/// A recorded launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedLaunch {
    /// The line of the file on which it begins.
    pub line: u32,
    /// The language of the kernel's file.
    pub language: Language,
    /// The kernel's file, relative to that of the launch.
    pub kernel_file: String,
    /// The kernel's name.
    pub entry_point: String,
    /// Threads per group; open if the host left it to the device.
    pub local_size: Option<Size>,
    /// Threads in the launch.
    pub global_size: Size,
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The compiler flags of the kernel.
    pub compiler_flags: String,
    /// The kernel's arguments, one per parameter, if they were recorded.
    pub arguments: Option<Vec<RecordedArgument>>,
    /// The host's calls that led to the launch.
    pub calls: Vec<HostCall>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawArgument")]
pub enum RecordedArgument {
    /// An argument passed by value, by its bits; `None` is open.
    Scalar(Option<BigInt>),
    /// An array.
    Array {
        /// The size in bytes; `None` is open.
        size: Option<u64>,
        /// The address space.
        space: Option<Space>,
    },
    /// An image.
    Image,
    /// A sampler.
    Sampler,
}

/// A call of the host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostCall {
    /// The called function.
    pub function_name: String,
    /// The file of the call.
    pub compilation_unit: String,
    /// The line of the call.
    pub line_number: u32,
}

/// An error in a file of recorded launches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// The error message.
    pub message: String,
}

/// Reads a file of recorded launches.
pub fn read(text: &str) -> Result<Vec<RecordedLaunch>, RecordError> {
    let launches: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| fault(&error, ""))?;
    // Line counting continues from one launch to the next: there may be many.
    let (mut line, mut counted) = (1, 0);
    let read = |launch: &RawValue| {
        let begin = before(text, launch).len();
        line += text[counted..begin].matches('\n').count();
        counted = begin;
        part::<RawLaunch>(text, launch)?.read(text, line)
    };
    launches.into_iter().map(read).collect()
}

/// Parses a part of the text by itself, so that its position in the text is known.
fn part<'a, T: Deserialize<'a>>(text: &str, part: &'a RawValue) -> Result<T, RecordError> {
    serde_json::from_str(part.get()).map_err(|error| fault(&error, before(text, part)))
}

fn before<'a>(text: &'a str, part: &RawValue) -> &'a str {
    &text[..part.get().as_ptr().addr() - text.as_ptr().addr()]
}

/// An error in the text behind `before`.
fn fault(error: &serde_json::Error, before: &str) -> RecordError {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let message = whole.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&whole).to_owned();
    let last = before.rsplit('\n').next().unwrap_or_default();
    let column = if line <= 1 { last.len() + column } else { column };
    RecordError { line: before.matches('\n').count() + line.max(1), column: column.max(1), message }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes a launch")]
struct RawLaunch<'a> {
    language: LanguageName,
    #[serde(default, rename = "endianness")]
    _endianness: Option<Endianness>,
    kernel_file: String,
    entry_point: String,
    local_size: Option<Extents>,
    global_size: Extents,
    global_offset: Option<Offsets>,
    #[serde(default)]
    compiler_flags: String,
    #[serde(borrow)]
    kernel_arguments: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    host_api_calls: Vec<HostCall>,
}

impl RawLaunch<'_> {
    fn read(self, text: &str, line: usize) -> Result<RecordedLaunch, RecordError> {
        let arguments =
            self.kernel_arguments.map(|arguments| arguments.into_iter().map(|argument| part(text, argument)).collect());
        Ok(RecordedLaunch {
            line: u32::try_from(line).unwrap_or_default(),
            language: match self.language {
                LanguageName::OpenCL => Language::OpenCl,
                LanguageName::Cuda => Language::Cuda,
                LanguageName::Hip => Language::Hip,
            },
            kernel_file: self.kernel_file,
            entry_point: self.entry_point,
            local_size: self.local_size.map(|size| size.0),
            global_size: self.global_size.0,
            global_offset: self.global_offset.map_or([0; 3], |offset| offset.0),
            compiler_flags: self.compiler_flags,
            arguments: arguments.transpose()?,
            calls: self.host_api_calls,
        })
    }
}

/// GPUVerify has `OpenCL` only; its users requested the others.
#[derive(Deserialize)]
enum LanguageName {
    OpenCL,
    #[serde(rename = "CUDA")]
    Cuda,
    #[serde(rename = "HIP")]
    Hip,
}

#[derive(Deserialize)]
#[serde(try_from = "EndiannessName")]
struct Endianness;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndiannessName {
    Little,
    Big,
}

impl TryFrom<EndiannessName> for Endianness {
    type Error = &'static str;

    fn try_from(name: EndiannessName) -> Result<Self, Self::Error> {
        match name {
            EndiannessName::Little => Ok(Self),
            EndiannessName::Big => Err("devices on which the highest byte comes first are not modelled"),
        }
    }
}

/// A size per dimension.
#[derive(Deserialize)]
#[serde(try_from = "Vec<u64>")]
struct Extents(Size);

impl TryFrom<Vec<u64>> for Extents {
    type Error = String;

    fn try_from(numbers: Vec<u64>) -> Result<Self, String> {
        dimensions(&numbers)?;
        let extent = |&number: &u64| match u32::try_from(number) {
            Ok(0) => Err("a size of 0: every dimension has at least one thread".to_owned()),
            Ok(size) if number <= LARGEST => Ok(Extent::Known(size)),
            _ => Err(format!("{number} is more than 2^31 threads in a dimension")),
        };
        numbers.iter().map(extent).collect::<Result<_, _>>().map(Self)
    }
}

/// The first id per dimension.
#[derive(Deserialize)]
#[serde(try_from = "Vec<u64>")]
struct Offsets([u32; 3]);

impl TryFrom<Vec<u64>> for Offsets {
    type Error = String;

    fn try_from(numbers: Vec<u64>) -> Result<Self, String> {
        dimensions(&numbers)?;
        let mut offsets = [0; 3];
        for (offset, number) in offsets.iter_mut().zip(numbers) {
            let fitting = u32::try_from(number).ok().filter(|_| number < LARGEST);
            *offset = fitting.ok_or_else(|| format!("{number} is no offset below 2^31"))?;
        }
        Ok(Self(offsets))
    }
}

fn dimensions(numbers: &[u64]) -> Result<(), String> {
    match numbers.len() {
        1..=3 => Ok(()),
        count => Err(format!("one to three dimensions are needed, and there are {count}")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes an argument")]
struct RawArgument {
    #[serde(rename = "type")]
    kind: ArgumentKind,
    value: Option<Hexadecimal>,
    size: Option<Bytes>,
    address_space: Option<SpaceName>,
    flags: Option<Vec<String>>,
    data: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ArgumentKind {
    Scalar,
    Array,
    Image,
    Sampler,
}

impl fmt::Display for ArgumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "a scalar",
            Self::Array => "an array",
            Self::Image => "an image",
            Self::Sampler => "a sampler",
        })
    }
}

impl TryFrom<RawArgument> for RecordedArgument {
    type Error = String;

    fn try_from(raw: RawArgument) -> Result<Self, String> {
        let of_array = [
            ("size", raw.size.is_some()),
            ("address_space", raw.address_space.is_some()),
            ("flags", raw.flags.is_some()),
            ("data", raw.data.is_some()),
        ];
        let fields = [("value", raw.value.is_some(), ArgumentKind::Scalar)]
            .into_iter()
            .chain(of_array.map(|(name, given)| (name, given, ArgumentKind::Array)));
        for (name, given, kind) in fields {
            if given && kind != raw.kind {
                return Err(format!("{} has no `{name}`", raw.kind));
            }
        }
        Ok(match raw.kind {
            ArgumentKind::Scalar => Self::Scalar(raw.value.map(|value| value.0)),
            ArgumentKind::Array => Self::Array {
                size: raw.size.map(|size| size.0),
                space: raw.address_space.map(|space| match space {
                    SpaceName::Global => Space::Global,
                    SpaceName::Local => Space::Local,
                    SpaceName::Constant => Space::Constant,
                }),
            },
            ArgumentKind::Image => Self::Image,
            ArgumentKind::Sampler => Self::Sampler,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum SpaceName {
    Global,
    Local,
    Constant,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Hexadecimal(BigInt);

impl TryFrom<String> for Hexadecimal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| BigInt::parse_bytes(digits.as_bytes(), 16));
        number.map(Self).ok_or_else(|| format!("`{text}` is no hexadecimal number such as \"0x2A\""))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "u64")]
struct Bytes(u64);

impl TryFrom<u64> for Bytes {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        // The limit is that of `--kernel-arrays`.
        let fits = (1..1 << 56).contains(&number);
        fits.then_some(Self(number)).ok_or_else(|| format!("{number} is not a size in bytes, from 1 to 2^56"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r#"[ { "language": "OpenCL", "endianness": "little", "kernel_file": "a.cl", "entry_point": "k",
  "local_size": [64, 2], "global_size": [1024, 2], "global_offset": [0, 8], "compiler_flags": "-DN=4",
  "kernel_arguments": [ { "type": "scalar", "value": "0xA208" }, { "type": "scalar" },
    { "type": "array", "size": 4096, "address_space": "global", "flags": ["CL_MEM_READ_ONLY"], "data": "a.bin" },
    { "type": "array" }, { "type": "image" }, { "type": "sampler" } ],
  "host_api_calls": [ { "function_name": "clEnqueueNDRangeKernel", "compilation_unit": "a.c", "line_number": 7 } ] },
  { "language": "CUDA", "kernel_file": "b.cu", "entry_point": "k", "global_size": [8] } ]"#;

    #[test]
    fn every_field() {
        let [first, second] = read(FULL).unwrap().try_into().unwrap();
        assert_eq!((first.line, second.line), (1, 7));
        assert_eq!(first.local_size, Some([64, 2].map(Extent::Known).to_vec()));
        assert_eq!((first.global_offset, first.compiler_flags.as_str()), ([0, 8, 0], "-DN=4"));
        let expected = [
            RecordedArgument::Scalar(Some(0xa208.into())),
            RecordedArgument::Scalar(None),
            RecordedArgument::Array { size: Some(4096), space: Some(Space::Global) },
            RecordedArgument::Array { size: None, space: None },
            RecordedArgument::Image,
            RecordedArgument::Sampler,
        ];
        assert_eq!(first.arguments.as_deref(), Some(&expected[..]));
        assert_eq!(first.calls[0].line_number, 7);
        assert_eq!((second.language, second.local_size, second.arguments), (Language::Cuda, None, None));
    }

    #[track_caller]
    fn check(text: &str, line: usize, column: usize, part: &str) {
        let error = read(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn faults_have_a_place() {
        check("", 1, 1, "EOF");
        check("{}", 1, 1, "expected a sequence");
        check("[\n {},\n 7 ]", 2, 3, "missing field `language`");
        check("[ { \"language\": \"Metal\" } ]", 1, 23, "unknown variant `Metal`");
        check("[\n\n  7 ]", 3, 3, "an object that describes a launch");
    }

    /// Replacing one part of the file causes an error at the line of that part.
    #[test]
    fn every_field_is_checked() {
        for (part, by, line, message) in [
            ("\"little\"", "\"middle\"", 1, "unknown variant `middle`"),
            ("\"little\"", "\"big\"", 1, "not modelled"),
            ("\"a.cl\"", "7", 1, "expected a string"),
            ("[64, 2]", "[64, 0]", 2, "a size of 0"),
            ("[64, 2]", "[64, -2]", 2, "integer `-2`"),
            ("[64, 2]", "[1, 1, 1, 1]", 2, "there are 4"),
            ("[1024, 2]", "[3000000000, 2]", 2, "more than 2^31"),
            ("[0, 8]", "[0, 2147483648]", 2, "no offset below 2^31"),
            ("\"0xA208\"", "\"A208\"", 3, "no hexadecimal number"),
            ("\"0xA208\"", "\"0x\"", 3, "no hexadecimal number"),
            ("\"type\": \"scalar\" }", "\"type\": \"scalar\", \"size\": 4 }", 3, "a scalar has no `size`"),
            ("\"image\"", "\"image\", \"value\": \"0x1\"", 5, "an image has no `value`"),
            ("\"image\"", "\"buffer\"", 5, "unknown variant `buffer`"),
            ("4096", "0", 4, "not a size in bytes"),
            ("\"global\"", "\"shared\"", 4, "unknown variant `shared`"),
            ("\"line_number\": 7", "\"line_number\": \"7\"", 6, "expected u32"),
            (", \"line_number\": 7", "", 6, "missing field `line_number`"),
            (", \"global_size\": [8]", "", 7, "missing field `global_size`"),
            ("\"b.cu\"", "\"b.cu\", \"blocks\": [1]", 7, "unknown field `blocks`"),
        ] {
            let text = FULL.replacen(part, by, 1);
            let error = read(&text).expect_err(by);
            assert!(error.line == line && error.message.contains(message), "{by}: {error}");
        }
    }
}
