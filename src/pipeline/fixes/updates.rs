//! Plain updates that race, as atomic ones.
//!
//! If each access of the races is in a line with one update, `bins[i] += n;` becomes
//! `atomicAdd(&bins[i], n);`. The proof does not tell that both compute the same. This follows from
//! the kernel and the text. The line has one statement. In the kernel, it loads a value, adds to it
//! and stores the sum at the same address. The operand in the text has no operator that binds less
//! than the addition. The elements are of a type for which the vendors have the function.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{FloatOp, Kernel, Language, Operation, Value};

use super::operations;
use super::points::indentation_of_statement;
use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::fix::Replacement;

/// Operators of updates, with the names of the functions in CUDA and in OpenCL.
const FUNCTIONS: [(&str, &str, &str); 5] = [
    ("+", "atomicAdd", "atomic_add"),
    ("-", "atomicSub", "atomic_sub"),
    ("&", "atomicAnd", "atomic_and"),
    ("|", "atomicOr", "atomic_or"),
    ("^", "atomicXor", "atomic_xor"),
];

/// The types for which all functions are there, and those that CUDA and HIP add to besides.
/// Lockstep's own headers have functions for more than those of the vendors.
const OF_ALL: [&str; 3] = ["int", "unsigned int", "uint"];
const OF_ADDITION: [&str; 3] = ["float", "double", "unsigned long long"];

/// The changes under which all updates that race are atomic: none, or those of one candidate.
pub fn words(kernel: &Kernel, races: &[&Finding], sources: &mut Sources) -> Vec<Vec<Replacement>> {
    let accesses = races.iter().flat_map(|race| &race.accesses);
    let lines: BTreeSet<(&str, u32)> = accesses.map(|access| (access.file.as_str(), access.line)).collect();
    let change = |(file, line): (&str, u32)| {
        // The value of an update may be used by a statement that begins above.
        indentation_of_statement(sources, file, line)?;
        let (at, old, new) = atomic(sources.line(file, line)?, kernel.language)?;
        let function = new.split('(').next().unwrap_or_default();
        let is_update = only_updates(kernel, file, line) && are_of_type(kernel, races, function);
        is_update.then_some(())?;
        let column = u32::try_from(at + 1).ok()?;
        Some(Replacement { file: file.to_owned(), line, column, old: old.to_owned(), new })
    };
    let changes: Option<Vec<Replacement>> = lines.into_iter().map(change).collect();
    changes.filter(|changes| !changes.is_empty()).into_iter().collect()
}

/// Whether the arrays of the races have elements that a function takes. A variable of four bytes
/// that is updated as in [`only_updates`] is an integer, or a float of CUDA or HIP.
fn are_of_type(kernel: &Kernel, races: &[&Finding], function: &str) -> bool {
    let is_of_type = |race: &&Finding| {
        let array = kernel.arrays.values().find(|data| Some(&data.name) == race.array.as_ref());
        array.is_some_and(|data| match data.element.as_ref().map(|element| element.name.as_str()) {
            Some(name) => OF_ALL.contains(&name) || function == "atomicAdd" && OF_ADDITION.contains(&name),
            None => data.size == Some(4),
        })
    };
    races.iter().all(is_of_type)
}

/// Whether all that a line stores is a sum with what it loads from there.
fn only_updates(kernel: &Kernel, file: &str, line: u32) -> bool {
    // The address of a variable is computed for each access.
    let is_same = |one: Value, other: Value| {
        let computed = kernel.operation(one).filter(|operation| operation.is_computation());
        one == other || computed.is_some() && computed == kernel.operation(other)
    };
    let is_loaded = |value: Value, from: Value| match kernel.operation(value) {
        Some(Operation::Load(access)) => is_same(access.pointer, from),
        _ => false,
    };
    let is_sum = |value: Value, at: Value| match kernel.operation(value) {
        Some(Operation::Binary(_, _, a, b)) => is_loaded(*a, at) || is_loaded(*b, at),
        Some(Operation::Float(FloatOp::Add | FloatOp::FusedMultiplyAdd, operands)) => {
            kernel.language != Language::OpenCl && operands.iter().any(|operand| is_loaded(*operand, at))
        }
        _ => false,
    };
    let mut of_line = kernel.instructions.iter().filter_map(|(at, data)| match &data.operation {
        Operation::Store(access, value) if operations::place(kernel, file, at).is_some_and(|(of, _)| of == line) => {
            Some(is_sum(*value, access.pointer))
        }
        _ => None,
    });
    of_line.next() == Some(true) && of_line.all(|is| is)
}

/// The only statement of a line if it is an update: its position, itself, and an atomic one.
fn atomic(text: &str, language: Language) -> Option<(usize, &str, String)> {
    let code = text.split("//").next().unwrap_or_default();
    if !text.is_ascii() || code.contains(['"', '\'', '\\', '#', '{', '}']) || code.contains("/*") {
        return None;
    }
    let statement = code.trim_end().strip_suffix(';').filter(|statement| !statement.contains(';'))?;
    let at = begin(statement)?;
    let statement = &statement[at..];
    let (place, operator, value) = update(statement)?;
    let (_, cuda, opencl) = FUNCTIONS.into_iter().find(|(of, ..)| *of == operator)?;
    let name = if language == Language::OpenCl { opencl } else { cuda };
    let address = match place.strip_prefix('*') {
        Some(pointer) => pointer.to_owned(),
        None => format!("&{place}"),
    };
    Some((at, statement, format!("{name}({address}, {value})")))
}

/// The position of the statement, behind conditions on the same line.
fn begin(text: &str) -> Option<usize> {
    let mut at = text.len() - text.trim_start().len();
    loop {
        let rest = &text[at..];
        let word: String = rest.chars().take_while(|letter| is_of_name(*letter)).collect();
        let behind = at + word.len();
        at = match word.as_str() {
            "if" => {
                let open =
                    behind + text[behind..].find('(').filter(|open| text[behind..behind + open].trim().is_empty())?;
                open + closing(&text[open..])? + 1
            }
            "else" => behind,
            _ => return Some(at),
        };
        at += text[at..].len() - text[at..].trim_start().len();
    }
}

/// The position of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The place, the operator and the operand of an update.
fn update(statement: &str) -> Option<(&str, &'static str, String)> {
    for (sign, operator) in [("++", "+"), ("--", "-")] {
        let place = statement.strip_suffix(sign).or_else(|| statement.strip_prefix(sign));
        if let Some(place) = place {
            return is_place(place).then(|| (place, operator, "1".to_owned()));
        }
    }
    let assigns = top_level(statement).find(|at| statement[*at..].starts_with('='))?;
    let (before, value) = (&statement[..assigns], statement[assigns + 1..].trim());
    // `x++ + y` and `x + ++y` have another sum.
    if value.starts_with(['=', '+', '-']) || top_level(value).any(|at| value[at..].starts_with([',', '='])) {
        return None;
    }
    let signs = ["+", "-", "&", "|", "^"];
    if let Some((place, operator)) = signs.iter().find_map(|sign| Some((before.strip_suffix(sign)?, *sign))) {
        let place = place.trim_end();
        return is_place(place).then(|| (place, operator, value.to_owned()));
    }
    let place = before.trim_end();
    if !is_place(place) {
        return None;
    }
    if let Some(rest) = value.strip_prefix(place) {
        // A lower operator would have the sum as its operand.
        let rest = rest.trim_start();
        let operator = ["+", "-"].into_iter().find(|sign| rest.starts_with(sign))?;
        let operand = rest[1..].trim_start();
        if operand.starts_with(['+', '-', '=']) {
            return None;
        }
        let others: &[char] = if operator == "-" { &['+', '-'] } else { &[] };
        let is_lower = |letter: char| "<>=!?:&|^".contains(letter) || others.contains(&letter);
        let is_single = !top_level(operand).any(|at| operand[at..].starts_with(is_lower));
        return (is_single && !operand.is_empty()).then(|| (place, operator, operand.to_owned()));
    }
    None
}

/// The positions outside of brackets.
fn top_level(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0_i32;
    text.char_indices().filter_map(move |(at, letter)| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => return (depth == 0).then_some(at),
        }
        None
    })
}

/// Whether a text names a place: a variable, an element, a member or what a pointer points to.
///
/// There are no calls or casts, except that `*(p + i)` is a place.
fn is_place(text: &str) -> bool {
    let inner = text.strip_prefix('*').unwrap_or(text);
    let sum = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).filter(|_| text != inner);
    let inner = sum.unwrap_or(inner);
    let begins = inner.starts_with(|letter: char| is_of_name(letter) && !letter.is_ascii_digit());
    let is_plain =
        |letter: char| is_of_name(letter) || ".->".contains(letter) || sum.is_some() && "+ *".contains(letter);
    let level = top_level(inner).all(|at| inner[at..].starts_with(is_plain));
    let is_balanced = text.matches('[').count() == text.matches(']').count();
    let has_effect = inner.contains(['(', '=']) || text.contains("++") || text.contains("--");
    begins && level && is_balanced && !has_effect
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuda(text: &str) -> Option<String> {
        atomic(text, Language::Cuda).map(|(_, _, new)| new)
    }

    #[test]
    fn updates_become_atomic() {
        for (text, new) in [
            ("  bins[value]++; // counts", "atomicAdd(&bins[value], 1)"),
            ("--left;", "atomicSub(&left, 1)"),
            ("if (x > (1)) *total += count * 2;", "atomicAdd(total, count * 2)"),
            ("else if (x) s->sums[i % 4] -= a, ;", ""),
            ("else s->sums[i % 4] -= f(a, b);", "atomicSub(&s->sums[i % 4], f(a, b))"),
            ("*(p + i) |= 1u << n;", "atomicOr((p + i), 1u << n)"),
            ("x = x + a * (b > c);", "atomicAdd(&x, a * (b > c))"),
            ("s.sums[i] ^= -v;", ""),
        ] {
            assert_eq!(cuda(text).unwrap_or_default(), new, "{text}");
        }
        let (at, old, new) = atomic("\tif (x) n += 2;", Language::OpenCl).expect("an update");
        assert_eq!((at, old, new.as_str()), (8, "n += 2", "atomic_add(&n, 2)"));
    }

    #[test]
    fn other_statements_stay() {
        for text in [
            "x = x - a + b;",
            "x = x + a > b;",
            "x = xy + a;",
            "x = y + 1;",
            "x = x = x + 1;",
            "x += 1, y += 1;",
            "x += 1; y += 1;",
            "int x = 0;",
            "y = x++;",
            "a[i++] += 1;",
            "f(x) += 1;",
            "x == y;",
            "x <<= 1;",
            "x *= 2;",
            "x = max(x, y);",
            "x[0] = x[0]+++y;",
            "x += ++y;",
            "*(p + f(i)) += 1;",
            "((char *)p)[0] += 1;",
            "*(int *)p += 1;",
            "return x += 1;",
            "x += '\\'';",
            "for (x += 1; x; ) x++;",
        ] {
            assert_eq!(cuda(text), None, "{text}");
        }
    }
}
