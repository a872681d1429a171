//! Formulas for the index of an access: `gid + offset = 7 + 1 = 8`.
//!
//! They use the source's names, and the numbers of a counterexample.
//!
//! The program says how the index is computed. The counterexample gives the values of ids, sizes,
//! parameters and loop counters. Variables that are assigned once are followed to their
//! definitions. The result is **checked**: the numbers are shown only if they evaluate to the exact
//! offset that the prover reports. Machine arithmetic wraps around, so the integers shown may not
//! add up to that offset; the line then says so. The line is never misleading.

mod dialect;
mod formula;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ElementLayout, Language};
use lockstep_ir::sequential::{Expression, Expressions, Node, Program, Site};

use crate::Execution;
use formula::{Formula, LENGTH, Story};

/// The width of an image coordinate.
const COORDINATE: u32 = 32;

/// The formula for thread `thread`'s index at a site: `index n + 1 = 2 + 1 = 3`.
///
/// It is empty if it would add nothing.
pub fn of_access(run: &Execution<'_>, thread: usize, site: Site) -> String {
    let Execution { program, .. } = *run;
    let offset = *program.sites[site].offset.of(thread);
    let array = &program.arrays[program.sites[site].array];
    match array.image {
        Some(_) => of_pixel(run, thread, offset),
        None => of_cell(run, thread, offset, array.cell_bytes, array.element.as_ref()),
    }
}

/// The place that a thread accesses at a site, without numbers: `out[i*64 + get_local_id(0)]`.
///
/// It is `None` if the place has no form that can be shown.
pub fn of_site(program: &Program, thread: usize, site: Site, language: Language) -> Option<String> {
    let data = &program.sites[site];
    let array = &program.arrays[data.array];
    let whole = array.element.as_ref().is_some_and(|element| element.bytes == array.cell_bytes);
    if array.image.is_some() || !whole {
        return None;
    }
    let index = Formula::of_names(program, thread, language).names(*data.offset.of(thread))?;
    Some(format!("{}[{index}]", array.name))
}

/// The formula for a pixel of an image: `pixel (x, 1) = (3, 1)`.
fn of_pixel(run: &Execution<'_>, thread: usize, offset: Expression) -> String {
    let Execution { program, counterexample, language } = *run;
    let Some(offsets) = &counterexample.offsets else { return String::new() };
    let formula = Formula::new(program, counterexample, thread, language);
    let components = components(&program.expressions, offset);
    let results = coordinates(&offsets[thread]);
    if components.len() != results.len() {
        return String::new();
    }
    let stories = components.iter().zip(&results).map(|(&part, result)| formula.story(part, result));
    let Some(stories) = stories.collect::<Option<Vec<Story>>>() else { return String::new() };
    let tuple = |part: &dyn Fn(&Story) -> String| match stories.iter().map(part).collect::<Vec<_>>() {
        one if one.len() == 1 => one.concat(),
        several => format!("({})", several.join(", ")),
    };
    let names = tuple(&|story| story.names.clone());
    let numbers = tuple(&|story| story.numbers.as_ref().unwrap_or(&story.result).clone());
    let result = tuple(&|story| story.result.clone());
    let wraps = stories.iter().find_map(|story| story.wraps);
    let notes: Vec<String> = wraps.map(wrapping).into_iter().collect();
    equation("pixel", &names, Some(numbers), &result, &notes)
}

/// An image's coordinates, the first dimension first.
pub fn coordinates(offset: &Bits) -> Vec<Bits> {
    (0..offset.width() / COORDINATE).map(|d| offset.extract(COORDINATE * (d + 1) - 1, COORDINATE * d)).collect()
}

/// The expressions that packed coordinates consist of, as far as they can be separated.
fn components(expressions: &Expressions, packed: Expression) -> Vec<Expression> {
    match *expressions.node(packed) {
        Node::Concat(high, low) => [low, high].into_iter().flat_map(|part| components(expressions, part)).collect(),
        _ => vec![packed],
    }
}

/// The line `index n + 1 = 2 + 1 = 3 (in bytes)`, without parts that add nothing.
///
/// It is empty if nothing is left.
fn equation(what: &str, names: &str, numbers: Option<String>, result: &str, notes: &[String]) -> String {
    if names == result {
        return String::new();
    }
    let numbers = numbers.filter(|numbers| numbers != result && numbers != names && numbers.len() <= LENGTH);
    let numbers = numbers.map_or(String::new(), |numbers| format!(" = {numbers}"));
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    format!("{what} {names}{numbers} = {result}{notes}")
}

fn wrapping(width: u32) -> String {
    format!("wraps around 2^{width}")
}

/// The formula for a cell of an array with the given cells and elements.
pub fn of_cell(
    run: &Execution<'_>,
    thread: usize,
    offset: Expression,
    cell_bytes: u64,
    element: Option<&ElementLayout>,
) -> String {
    let Execution { program, counterexample, language } = *run;
    let Some(offsets) = &counterexample.offsets else { return String::new() };
    let result = &offsets[thread];
    let formula = Formula::new(program, counterexample, thread, language);
    let Some(Story { names, numbers, result, wraps }) = formula.story(offset, result) else {
        return String::new();
    };
    let unit = match element {
        Some(element) if element.bytes == cell_bytes => None,
        _ if cell_bytes == 1 => Some("in bytes".to_owned()),
        _ => Some(format!("in units of {cell_bytes} bytes")),
    };
    let notes: Vec<String> = unit.into_iter().chain(wraps.map(wrapping)).collect();
    equation("index", &names, numbers, &result, &notes)
}
