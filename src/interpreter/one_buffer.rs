//! Pointers into the buffer of another parameter: `--arg b=@a`, or `--arg b=@a+64` for one that
//! begins 64 bytes behind the beginning of `a`.
//!
//! [`applied`] makes the two arrays of the kernel one. So the interpreter knows nothing about it,
//! and a run reports every access as one to the array that is named behind the `@`.

use lockstep_ir::kernel::transform::make_one;
use lockstep_ir::kernel::{Array, ArrayOrigin, Kernel, Operation, ParameterKind, Space, VerifiedKernel, verify};

use super::arguments::Given;

/// The value that gives a pointer the buffer of another one.
pub fn in_words(whole: &str, distance: u64) -> String {
    if distance == 0 { format!("@{whole}") } else { format!("@{whole}+{distance}") }
}

/// Whether a value is the buffer of another parameter.
pub fn is_other(value: &str) -> bool {
    value.starts_with('@')
}

/// The kernel in a launch with these arguments; `None` if each has a buffer of its own.
pub fn applied(kernel: &VerifiedKernel, given: &[Given]) -> Result<Option<VerifiedKernel>, String> {
    let others: Vec<&Given> = given.iter().filter(|given| is_other(&given.value)).collect();
    if others.is_empty() {
        return Ok(None);
    }
    let mut changed: Kernel = (**kernel).clone();
    for one in &others {
        let wrong = |problem: String| format!("--arg {}: {problem}", one.name);
        let text = &one.value[1..];
        let (name, distance) = match text.rsplit_once('+') {
            Some((name, bytes)) => (name.trim(), bytes.trim().parse().map_err(|_| wrong(not_a_distance(bytes)))?),
            None => (text, 0),
        };
        let whole = buffer(kernel, name.trim()).map_err(wrong)?;
        let part = buffer(kernel, &one.name).map_err(wrong)?;
        // The other one's array would have no accesses.
        if whole == part || others.iter().any(|other| other.name == name) {
            return Err(wrong(format!("`{name}` has no buffer of its own")));
        }
        changed = make_one(changed, [whole, part], distance);
    }
    verify(changed).map(Some).map_err(|_| "the arrays cannot be one".to_owned())
}

fn not_a_distance(text: &str) -> String {
    format!("`{text}` is not a number of bytes")
}

/// The global array that a parameter, or a field of one, points to.
fn buffer(kernel: &Kernel, name: &str) -> Result<Array, String> {
    let of_parameter = kernel.parameters.iter().find(|parameter| parameter.name == name);
    let array = match of_parameter.map(|parameter| &parameter.kind) {
        Some(ParameterKind::Pointer(array)) => Some(*array),
        Some(ParameterKind::Scalar(_) | ParameterKind::Aggregate(_) | ParameterKind::Opaque) => None,
        None => kernel.arrays.iter().find(|(_, data)| data.name == name).map(|(array, _)| array),
    };
    let is_buffer = |array: &Array| {
        let data = &kernel.arrays[*array];
        data.space == Space::Global && data.origin == ArrayOrigin::Parameter
    };
    array.filter(is_buffer).ok_or_else(|| format!("`{name}` points to no buffer"))
}

/// Checks that no access goes to an array, since it is another one's.
pub(super) fn check(kernel: &Kernel, array: Array) -> Result<(), String> {
    let is_used = kernel.instructions.values().any(|data| data.operation == Operation::ArrayBase(array));
    if is_used { Err("the buffer of another parameter is known to `lockstep run` only".to_owned()) } else { Ok(()) }
}
