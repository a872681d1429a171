//! `LS0107`, an **access outside an array**.
//!
//! A thread accesses an array of known size outside its bounds: a local, private or constant array
//! that the source declares, or memory of which the size is given or is what the host of the file
//! allocates. The index and the array's size are shown. Other arrays behind pointer parameters have
//! unknown sizes and are not checked. `--no-check bounds` assumes the bounds instead of checking
//! them.

use lockstep_ir::kernel::ElementLayout;
use lockstep_ir::sequential::Expression;
use lockstep_prove::arithmetic;
use lockstep_system::printable::count;
use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::race::place;
use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0107";
/// The name of the kind.
pub const KIND: &str = "out-of-bounds";

/// An array and its size.
pub(super) struct Bounds<'a> {
    pub array: &'a str,
    pub cells: Option<u64>,
    pub cell_bytes: u64,
    pub element: Option<&'a ElementLayout>,
}

/// The size of an array in words: `which has 64 elements`.
pub fn has(bytes: u64, element: Option<&ElementLayout>) -> String {
    let (size, unit) = match element.filter(|element| element.bytes > 0) {
        Some(element) => (bytes / element.bytes, "element"),
        None => (bytes, "byte"),
    };
    format!("which has {}", count(size, unit))
}

/// The finding of a thread's access that begins at this cell; of thread 1 if both threads access
/// it.
pub(super) fn finding(run: &Run<'_>, bounds: &Bounds<'_>, cell: Expression, thread: Option<usize>) -> Finding {
    let thread = thread.unwrap_or(0);
    let mut finding = run.finding_at_obligation(CODE, KIND, &[thread], Act::Access);
    finding.array = Some(bounds.array.to_owned());
    let element = bounds.element;
    finding.offset_bytes = run.counterexample.cell.and_then(|cell| cell.checked_mul(bounds.cell_bytes));
    let size = bounds.cells.map(|cells| has(cells * bounds.cell_bytes, element));
    let size = size.unwrap_or_else(|| "outside of what the host allocates".to_owned());
    // An index that wraps around has no place.
    let at = finding.offset_bytes.map_or_else(|| bounds.array.to_owned(), |bytes| place(bounds.array, element, bytes));
    finding.place = Some(format!("{at}, {size}"));
    if let Some(access) = finding.accesses.first_mut() {
        access.arithmetic = arithmetic::of_cell(&run.execution(), thread, cell, bounds.cell_bytes, element);
    }
    finding
}
