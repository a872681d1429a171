//! A host program in C that runs a witness on an OpenCL device.
//!
//! The parts that do not depend on the witness are in `host/`.

use std::fmt::Write as _;

use lockstep_ir::kernel::{ArrayOrigin, ParameterKind, Space, Type};

use super::sources::Copied;
use super::with_slashes;
use crate::command::run::{Executed, length};
use crate::frontend::FrontendOptions;
use crate::interpreter::memory::{Element, Fill};

const HELPERS: &str = include_str!("host/helpers.c");
const MAIN: &str = include_str!("host/main.c");
const LOCKSTEP_H: &str = include_str!("../../include/lockstep.h");

/// The header that removes annotations for other compilers.
pub const ANNOTATIONS: &str = "lockstep.h";

/// The extra bytes after the part of an unsized array that the run touches.
///
/// Threads that wait for ever in the run may continue on the device.
const ROOM: u64 = 1 << 20;

/// The most arrays of the program.
const MOST_ARRAYS: usize = 64;

/// The header of annotations, if any of the texts needs it.
pub fn annotations(texts: &[String]) -> Option<&'static str> {
    let names = LOCKSTEP_H.lines().filter_map(|line| line.strip_prefix("#define __"));
    let names = names.map(|rest| rest.split(['(', ' ']).next().unwrap_or(rest));
    let mut needed = names.map(|name| format!("__{name}"));
    needed.any(|name| texts.iter().any(|text| text.contains(&name))).then_some(LOCKSTEP_H)
}

/// The program; the error is the reason why there is none.
pub fn program(
    executed: &Executed<'_>,
    copied: &Copied,
    options: &FrontendOptions,
    has_annotations: bool,
) -> Result<String, String> {
    let kernel = &executed.kernel;
    let is_image = |kind: &ParameterKind| match kind {
        ParameterKind::Opaque => true,
        ParameterKind::Pointer(array) => matches!(kernel.arrays[*array].origin, ArrayOrigin::Image { .. }),
        ParameterKind::Scalar(_) | ParameterKind::Aggregate(_) => false,
    };
    if let Some(parameter) = kernel.parameters.iter().find(|parameter| is_image(&parameter.kind)) {
        return Err(format!("`{}` is an image or a sampler, of which a run knows no contents", parameter.name));
    }
    if kernel.passed().len() > MOST_ARRAYS {
        return Err("the kernel has more parameters than the program has room for".to_owned());
    }
    // Writing to a string does not fail.
    let mut text = String::new();
    let _ =
        writeln!(text, "/* Runs the witness beside it on the first OpenCL device: WITNESS.md tells what happens.\n");
    let _ = writeln!(text, "   cc -std=c99 host.c -o host -lOpenCL && ./host [--timeout SECONDS] */");
    text.push_str(HELPERS);
    text.push_str(&constants(executed, copied, options, has_annotations));
    text.push_str(&arguments(executed));
    text.push_str(MAIN);
    Ok(text)
}

/// The kernel, its build options, and the sizes.
fn constants(executed: &Executed<'_>, copied: &Copied, options: &FrontendOptions, has_annotations: bool) -> String {
    let grid = &executed.grid;
    let includes = copied.includes.iter().map(|folder| format!("-I {}", with_slashes(folder)));
    // A file that includes others by its own place is passed as text, which has none.
    let beside = copied.source.parent().map(with_slashes).filter(|folder| !folder.is_empty());
    let beside = beside.map(|folder| format!("-I {folder}"));
    let defines = options.defines.iter().map(|define| format!("-D {define}"));
    let built: Vec<String> = defines.chain(beside).chain(includes).collect();
    let standards = match options.cl_std.as_deref() {
        Some(standard) if standard.starts_with(|first: char| first.is_ascii_digit()) => {
            string(&format!("-cl-std=CL{standard}"))
        }
        Some(standard) => string(&format!("-cl-std={standard}")),
        // The first version is Lockstep's; the others are for devices without OpenCL 2.
        None => "\"-cl-std=CL2.0\", \"-cl-std=CL3.0\", \"\"".to_owned(),
    };
    let sizes = |name: &str, sizes: [u64; 3]| {
        let [x, y, z] = sizes;
        format!("static const size_t {name}[3] = {{{x}, {y}, {z}}};\n")
    };
    let global = std::array::from_fn(|d| u64::from(grid.local_size[d]) * u64::from(grid.num_groups[d]));
    let mut text = "\n/* --- This witness ----------------------------------------------------------------------------------------------- \
                    */\n\n"
        .to_owned();
    let _ = writeln!(text, "#define KERNEL {}", string(&executed.kernel.name));
    let _ = writeln!(text, "#define SOURCE {}", string(&with_slashes(&copied.source)));
    let _ = writeln!(text, "#define ANNOTATIONS {}", string(if has_annotations { ANNOTATIONS } else { "" }));
    let _ = writeln!(text, "#define BUILD_OPTIONS {}", string(&built.join(" ")));
    let _ = writeln!(text, "#define DIMENSIONS {}", grid.dimensions);
    let _ = writeln!(text, "static const char *const standards[] = {{{standards}}};");
    text + &sizes("global_offset", grid.global_offset.map(u64::from))
        + &sizes("global_size", global)
        + &sizes("local_size", grid.local_size.map(u64::from))
}

/// The function that gives the kernel its arguments.
fn arguments(executed: &Executed<'_>) -> String {
    let kernel = &executed.kernel;
    let (mut data, mut calls) = (String::new(), String::new());
    for (index, parameter) in (0u32..).zip(kernel.passed()) {
        let name = string(&parameter.name);
        let call = match &parameter.kind {
            ParameterKind::Scalar(ty) => {
                let words = executed.start.values.iter().find(|(other, _)| *other == index);
                let words = words.map(|(_, words)| words.as_slice()).unwrap_or_default();
                let bytes = scalar(*ty, words);
                let _ = writeln!(data, "static const unsigned char value_{index}[] = {{{}}};", list(&bytes));
                format!("    give_bytes({index}, {name}, value_{index}, {});\n", bytes.len())
            }
            ParameterKind::Aggregate(array) => {
                let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
                let size = usize::try_from(kernel.arrays[*array].size.unwrap_or(0)).expect("memory fits");
                let mut bytes = vec![0; size];
                if let Some((_, given)) = executed.start.private.iter().find(|(other, _)| *other == at) {
                    let count = given.len().min(size);
                    bytes[..count].copy_from_slice(&given[..count]);
                }
                set_fields(executed, index, &mut bytes);
                let _ = writeln!(data, "static const unsigned char value_{index}[] = {{{}}};", list(&bytes));
                format!("    give_bytes({index}, {name}, value_{index}, {size});\n")
            }
            ParameterKind::Pointer(array) if kernel.arrays[*array].space == Space::Local => {
                let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
                format!("    give_local({index}, {name}, {});\n", executed.start.local_bytes[at])
            }
            ParameterKind::Pointer(array) => {
                let at = usize::try_from(array.as_u32()).expect("fewer than 2^32 arrays");
                let size = length(&executed.ran.regions[at]);
                let element = executed.elements[at].map_or_else(
                    || "NULL".to_owned(),
                    |element| {
                        let _ = writeln!(data, "static const struct element element_{index} = {};", brace(element));
                        format!("&element_{index}")
                    },
                );
                let region = &executed.ran.regions[at];
                let room = if region.is_open { size.saturating_add(ROOM).min(region.size) } else { size };
                let to = format!("new_array({name}, {size}u, {room}u, {element})");
                let filled = fill(executed.start.regions[at].fill(), index, room, &to, &mut data);
                format!("    {filled};\n    give_array({index});\n")
            }
            ParameterKind::Opaque => String::new(),
        };
        calls.push_str(&call);
    }
    format!("{data}\nstatic void give_arguments(void)\n{{\n{calls}}}\n")
}

/// Puts the values of the fields of a struct parameter into its bytes.
fn set_fields(executed: &Executed<'_>, parameter: u32, bytes: &mut [u8]) {
    for (index, data, field) in executed.kernel.field_parameters() {
        let value = executed.start.values.iter().find(|(other, _)| usize::try_from(*other) == Ok(index));
        let ParameterKind::Scalar(ty) = data.kind else { continue };
        let length = usize::try_from(ty.width().unwrap_or(0).div_ceil(8)).unwrap_or(0);
        let start = usize::try_from(field.at).unwrap_or(usize::MAX);
        let place = start.checked_add(length).and_then(|end| bytes.get_mut(start..end));
        if let (true, Some((_, words)), Some(place)) = (field.parameter == parameter, value, place) {
            let all = words.iter().flat_map(|word| word.to_le_bytes());
            place.iter_mut().zip(all).for_each(|(to, from)| *to = from);
        }
    }
}

/// The bytes of a value in the device's layout: vectors of three have room for four.
fn scalar(ty: Type, words: &[u64]) -> Vec<u8> {
    let bytes = usize::try_from(ty.width().unwrap_or(64).div_ceil(8)).expect("small").next_power_of_two();
    let all = words.iter().flat_map(|word| word.to_le_bytes()).chain(std::iter::repeat(0));
    all.take(bytes).collect()
}

/// The call that fills an array of this many bytes; the contents go to `data`.
fn fill(fill: &Fill, index: u32, size: u64, to: &str, data: &mut String) -> String {
    match fill {
        Fill::Bytes(bytes) if bytes.is_empty() => to.to_owned(),
        Fill::Bytes(bytes) => {
            let _ = writeln!(data, "static const unsigned char bytes_{index}[] = {{{}}};", list(bytes));
            format!("fill_bytes({to}, {size}u, bytes_{index}, sizeof bytes_{index})")
        }
        Fill::Same(bytes) => {
            let _ = writeln!(data, "static const unsigned char bytes_{index}[] = {{{}}};", list(bytes));
            format!("fill_same({to}, {size}u, bytes_{index}, sizeof bytes_{index})")
        }
        Fill::Count(_, step) => format!("fill_count({to}, {size}u, element_{index}, {step}u)"),
        Fill::Random(_, seed) => format!("fill_random({to}, {size}u, element_{index}, {seed}u)"),
        Fill::Among(element, patterns, seed) => {
            let patterns: Vec<String> = patterns.iter().map(|pattern| format!("UINT64_C({pattern})")).collect();
            let (count, all, bytes) = (patterns.len(), patterns.join(", "), element.bytes());
            let _ = writeln!(data, "static const uint64_t patterns_{index}[] = {{{all}}};");
            format!("fill_among({to}, {size}u, {bytes}, patterns_{index}, {count}, {seed}u)")
        }
        Fill::Sparse(_, elements) if elements.is_empty() => to.to_owned(),
        Fill::Sparse(element, elements) => {
            let one = |(index, value): (&u64, &u64)| format!("{{UINT64_C({index}), UINT64_C({value})}}");
            let all: Vec<String> = elements.iter().map(one).collect();
            let (count, all, bytes) = (elements.len(), all.join(", "), element.bytes());
            let _ = writeln!(data, "static const uint64_t elements_{index}[][2] = {{{all}}};");
            format!("fill_sparse({to}, {size}u, {bytes}, elements_{index}, {count})")
        }
    }
}

fn brace(element: Element) -> String {
    let kind = match element {
        Element::Signed(_) => "SIGNED",
        Element::Unsigned(_) => "UNSIGNED",
        Element::Float(_) => "FLOAT",
    };
    format!("{{{kind}, {}}}", element.bytes())
}

fn list(bytes: &[u8]) -> String {
    // C has no arrays without elements.
    if bytes.is_empty() {
        return "0".to_owned();
    }
    bytes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A text as a C string literal.
fn string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('?', "\\?");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_c() {
        assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
    }

    #[test]
    fn vectors_of_three_have_room_for_four() {
        assert_eq!(scalar(Type::Bits(96), &[1, 2]).len(), 16);
        assert_eq!(scalar(Type::Bits(32), &[0x0403_0201]), [1, 2, 3, 4]);
    }
}
