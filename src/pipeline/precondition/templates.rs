//! The templates of preconditions: bounds, multiples and orders of a kernel's integer parameters
//! and of the sizes of its launch.
//!
//! A template's cost says how much it asks of those who launch the kernel. A sign or a bound costs
//! little, an equation much. Among bounds by constants, which are those of the kernel itself, a
//! weak one costs less than a strong one.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{BinaryOp, Kernel, Language, Operation, ThreadQuery};

use super::roles::Roles;
use super::rows::OfRows;
use super::tables::Table;
use crate::frontend::assume::{Assumption, Integer};

/// The most integer parameters that templates are about.
const PARAMETERS: usize = 8;

/// The most constants of the kernel in templates.
const CONSTANTS: usize = 12;

/// The largest constant in templates.
const LARGEST: u64 = 1 << 20;

/// The least upper bound on a number of elements for all groups.
const LARGE: u64 = 1 << 16;

/// The least cost of multiples, powers, equations, and orders of sums and products.
pub const PATTERN: u32 = 47;

/// The cost of a number that is not negative.
pub const SIGN: u32 = 10;

/// The cost of a number that is positive.
pub const POSITIVE: u32 = 20;

/// The cost of the absence of wrap-around.
pub const NO_WRAP: u32 = 25;

/// The cost of bounds from which it follows, which are easier to use in a proof.
pub const IS_SMALL: u32 = 29;

/// The cost of columns that fit into their rows.
pub const FITS: u32 = 24;

/// The least cost of sizes that are constants.
pub const IS_CONSTANT: u32 = 100;

/// A precondition of one of the forms.
#[derive(Clone, Debug)]
pub struct Template {
    /// The condition.
    pub assumption: Assumption,
    /// Its cost.
    pub cost: u32,
    /// Whether it makes proofs easier: arithmetic does not wrap, or a size is a constant.
    pub helps: bool,
    /// The indices that suggest it.
    pub origin: Origin,
}

/// The indices that suggest a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// None: all kernels have such templates.
    Form,
    /// Those of rows of a matrix.
    Rows,
    /// Those of places of groups.
    Groups,
    /// Elements of tables.
    Tables,
}

/// A size of the launch that is open.
#[derive(Clone, Debug)]
pub struct OpenSize {
    /// As the source writes it.
    pub text: String,
    /// The kind of size.
    pub kind: SizeKind,
}

/// A kind of size of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    /// Threads per group.
    Local,
    /// Groups.
    Groups,
    /// Threads.
    Global,
}

/// The open sizes of a launch; `None` in `block` and `grid` is open.
pub fn open_sizes(language: Language, block: &[Option<u32>], grid: &[Option<u32>]) -> Vec<OpenSize> {
    let is_cuda = matches!(language, Language::Cuda | Language::Hip);
    let mut sizes = Vec::new();
    for (at, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let is_open = |sizes: &[Option<u32>]| sizes.get(at).is_some_and(Option::is_none);
        let (local, groups) = (is_open(block), is_open(grid));
        let text = |kind| match (kind, is_cuda) {
            (SizeKind::Local, true) => format!("blockDim.{axis}"),
            (SizeKind::Groups, true) => format!("gridDim.{axis}"),
            (SizeKind::Global, true) => format!("gridDim.{axis} * blockDim.{axis}"),
            (SizeKind::Local, false) => format!("get_local_size({at})"),
            (SizeKind::Groups, false) => format!("get_num_groups({at})"),
            (SizeKind::Global, false) => format!("get_global_size({at})"),
        };
        let all = [(local, SizeKind::Local), (groups, SizeKind::Groups), (local || groups, SizeKind::Global)];
        sizes.extend(all.into_iter().filter(|(open, _)| *open).map(|(_, kind)| OpenSize { text: text(kind), kind }));
    }
    sizes
}

/// The constants of a kernel with which sizes and parameters may be compared, the largest first.
///
/// They are the constants of its comparisons and of its index arithmetic, in elements as well as in
/// bytes, the sizes of its arrays, and those of the launch.
pub fn constants(kernel: &Kernel, block: &[Option<u32>], grid: &[Option<u32>]) -> Vec<u64> {
    let known = block.iter().chain(grid).flatten();
    let mut constants: BTreeSet<u64> = known.map(|&size| u64::from(size)).collect();
    let both = block.iter().zip(grid).filter_map(|(block, grid)| Some(u64::from((*block)?) * u64::from((*grid)?)));
    constants.extend(both);
    let number = |value| kernel.constant(value).and_then(lockstep_ir::bits::Bits::to_u64);
    let elements: BTreeSet<u64> = kernel
        .arrays
        .values()
        .filter_map(|data| Some(data.element.as_ref()?.bytes).filter(|&bytes| bytes > 0))
        .collect();
    let in_elements =
        |bytes: u64| elements.iter().filter(move |&&element| bytes.is_multiple_of(element)).map(move |e| bytes / e);
    for data in kernel.instructions.values() {
        match data.operation {
            Operation::Compare(_, a, b) => constants.extend([a, b].into_iter().filter_map(number)),
            Operation::Binary(BinaryOp::Multiply, _, a, b) => {
                constants.extend([a, b].into_iter().filter_map(number).flat_map(in_elements));
            }
            Operation::Binary(BinaryOp::UnsignedRemainder | BinaryOp::UnsignedDivide, _, _, b) => {
                constants.extend(number(b));
            }
            _ => {}
        }
    }
    let mut lengths: BTreeSet<u64> =
        kernel.arrays.values().filter_map(|data| data.size).flat_map(in_elements).collect();
    let layouts = kernel.arrays.values().filter_map(|data| data.element.as_ref());
    lengths.extend(layouts.flat_map(|layout| layout.dimensions.iter().copied()));
    // A quotient that is an index has as many values for each element.
    let quotients = kernel.instructions.values().filter_map(|data| match data.operation {
        Operation::Binary(BinaryOp::UnsignedDivide | BinaryOp::SignedDivide, _, _, b) => number(b),
        Operation::Binary(BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight, _, _, b) => {
            1_u64.checked_shl(number(b)?.try_into().ok()?)
        }
        _ => None,
    });
    let quotients: BTreeSet<u64> = quotients.collect();
    constants.extend(quotients.iter().flat_map(|by| lengths.iter().filter_map(|length| length.checked_mul(*by))));
    constants.extend(lengths);
    // A square array may be accessed with its width as a parameter.
    let roots: Vec<u64> = constants.iter().map(|constant| constant.isqrt()).collect();
    let squares: BTreeSet<u64> = roots.into_iter().filter(|root| constants.contains(&(root * root))).collect();
    constants.extend(squares);
    constants.retain(|&constant| (2..=LARGEST).contains(&constant));
    constants.into_iter().rev().take(CONSTANTS).collect()
}

/// Whether the kernel asks for the number of its group, and so is made for several of them.
pub fn knows_its_group(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| {
        matches!(data.operation, Operation::ThreadQuery(ThreadQuery::GroupId(_) | ThreadQuery::GlobalId(_)))
    })
}

/// All templates over these parameters, open sizes and constants.
///
/// An offset has no lower bound but zero and is no multiple: a kernel with `a[i] += a[i + offset]`
/// is not made for large offsets. A divisor has no lower bound by sizes: `bins[i % n]` is not made
/// for as many bins as threads. A number of elements for all groups has no upper bound but other
/// parameters: a kernel is not made for launches with idle groups.
pub fn templates(
    parameters: &[(String, Integer)],
    roles: &Roles,
    sizes: &[OpenSize],
    constants: &[u64],
) -> Vec<Template> {
    let mut all = Vec::new();
    let mut add = |cost: u32, text: String| {
        if let Ok(assumption) = Assumption::parse(&text) {
            let helps = cost == NO_WRAP || cost == IS_SMALL || cost >= IS_CONSTANT;
            all.push(Template { assumption, cost, helps, origin: Origin::Form });
        }
    };
    let parameters = &parameters[..parameters.len().min(PARAMETERS)];
    for (p, ty) in parameters {
        let (is_offset, is_total) = (roles.is_place(p), roles.totals.contains(p));
        of_parameter(p, *ty, (is_offset, is_total), constants, &mut add);
        // In C a negative number is large beside a size, which has no sign.
        let not_negative = if ty.signed { format!("{p} >= 0 && ") } else { String::new() };
        for OpenSize { text: s, kind } in sizes {
            if *kind == SizeKind::Global {
                add(NO_WRAP, below_2_31(p, s));
                add(IS_SMALL, format!("{p} <= 32768 && {s} <= 65536"));
            }
            if !is_total {
                add(40, format!("{p} <= {s}"));
                add(42, format!("{p} < {s}"));
            }
            if is_offset {
                continue;
            }
            if !is_total || *kind == SizeKind::Local {
                add(60, format!("{p} > 0 && {p} % ({s}) == 0"));
            }
            add(60, format!("{p} > 0 && {s} % {p} == 0"));
            if roles.divisors.contains(p) {
                continue;
            }
            // Idle threads are no mistake of those who launch the kernel.
            let extra = if is_total { 20 } else { 0 };
            add(41 + extra, format!("{not_negative}{p} >= {s}"));
            if !is_total {
                add(43, format!("{not_negative}{p} > {s}"));
            }
            add(65, format!("{p} == {s}"));
            for c in constants.iter().rev().filter(|&&c| c <= 16) {
                add(70, format!("{not_negative}{p} >= {c} * {s}"));
            }
            add(72, format!("{not_negative}{p} >= {s} + 1"));
            add(72, format!("{not_negative}{p} >= {s} + 2"));
        }
    }
    for (p, ty) in parameters {
        for (q, other) in parameters.iter().filter(|(q, other)| q != p && other == ty) {
            // Two numbers of elements, say of rows and columns, have no order.
            if !(roles.totals.contains(p) && roles.totals.contains(q)) {
                add(44, format!("{p} <= {q}"));
                add(45, format!("{p} < {q}"));
            }
            if !roles.is_place(p) {
                add(66, format!("{q} > 0 && {p} % {q} == 0"));
            }
            if p < q {
                add(NO_WRAP, below_2_31(p, q));
                add(IS_SMALL, format!("{p} <= 32768 && {q} <= 32768"));
                add(46, format!("{p} != {q}"));
                add(68, format!("{p} == {q}"));
            }
            for OpenSize { text: s, .. } in sizes {
                let not_negative = if other.signed { format!("{p} >= 0 && {q} >= 0 && ") } else { String::new() };
                if !roles.is_place(p) && !roles.divisors.contains(p) {
                    add(80, format!("{not_negative}{p} >= {q} + {s}"));
                    add(82, format!("{not_negative}{p} >= {q} * {s}"));
                }
                if p < q {
                    add(84, format!("{not_negative}{p} * {q} == {s}"));
                }
            }
        }
    }
    of_sizes(sizes, constants, &mut add);
    all
}

/// The templates about rows, which make the arithmetic of indices easy.
pub fn of_rows(conditions: &OfRows, parameters: &[(String, Integer)]) -> Vec<Template> {
    let is_open = |assumption: &Assumption| {
        assumption.names().iter().all(|name| parameters.iter().any(|(parameter, _)| parameter == name))
    };
    let with_cost = |texts: &[String], cost: u32, origin: Origin| {
        let parsed = texts.iter().filter_map(|text| Assumption::parse(text).ok()).filter(is_open);
        parsed.map(|assumption| Template { assumption, cost, helps: true, origin }).collect::<Vec<_>>()
    };
    [
        with_cost(&conditions.of_groups, IS_CONSTANT, Origin::Groups),
        with_cost(&conditions.fitting, FITS, Origin::Rows),
        with_cost(&conditions.without_wrap, NO_WRAP, Origin::Rows),
    ]
    .concat()
}

/// The defects to which the elements of a kernel's tables lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableDefects {
    /// None is known: orderly elements lead to the same defects.
    Unknown,
    /// Accesses outside of arrays.
    OutOfBounds,
    /// Others.
    Races,
}

/// The templates about the elements of a kernel's tables. They cost little if elements lead to the
/// defects that were found. Elements that are sorted and distinct are increasing.
pub fn of_tables(
    tables: &[Table],
    parameters: &[(String, Integer)],
    constants: &[u64],
    defects: TableDefects,
) -> Vec<Template> {
    let least = if defects == TableDefects::Unknown { IS_CONSTANT - 10 } else { 1 };
    let [order, bounds] = if defects == TableDefects::OutOfBounds { [3, 1] } else { [1, 4] };
    let mut all = Vec::new();
    let mut add = |cost: u32, text: String| {
        if let Ok(assumption) = Assumption::parse(&text) {
            all.push(Template { assumption, cost: least + cost, helps: false, origin: Origin::Tables });
        }
    };
    for Table { name: table, accumulates } in tables {
        add(order, format!("sorted({table})"));
        if !accumulates {
            add(order + 1, format!("distinct({table})"));
        }
        if !accumulates {
            add(order + 2, format!("increasing({table})"));
        }
        for constant in constants {
            add(bounds, format!("within({table}, 0, {constant})"));
        }
        for (parameter, _) in parameters.iter().take(PARAMETERS) {
            add(bounds + 1, format!("within({table}, 0, {parameter})"));
        }
    }
    all
}

/// The product of two numbers, computed with 64 bits, fits into 31 bits: an index does not wrap.
fn below_2_31(a: &str, b: &str) -> String {
    format!("1l * {a} * {b} <= 2147483647")
}

fn of_parameter(
    p: &str,
    ty: Integer,
    (is_offset, is_total): (bool, bool),
    constants: &[u64],
    add: &mut impl FnMut(u32, String),
) {
    if ty.signed {
        add(SIGN, format!("{p} >= 0"));
    }
    for (order, c) in (0..).zip(constants).filter(|(_, c)| !is_total || **c >= LARGE) {
        add(30 + order, format!("{p} <= {c}"));
        add(31 + order, format!("{p} < {c}"));
    }
    add(55, format!("{p} > 0 && ({p} & ({p} - 1)) == 0"));
    if is_offset {
        return;
    }
    add(POSITIVE, format!("{p} > 0"));
    add(21, format!("{p} != 0"));
    add(22, format!("{p} > 1"));
    for (order, c) in (0..).zip(constants.iter().rev()) {
        add(32 + order, format!("{p} >= {c}"));
        add(33 + order, format!("{p} > {c}"));
    }
    for power in [2_u32, 4, 8, 16, 32, 64, 128, 256] {
        add(48 + power / 16, format!("{p} % {power} == 0"));
    }
}

fn of_sizes(sizes: &[OpenSize], constants: &[u64], add: &mut impl FnMut(u32, String)) {
    for (index, OpenSize { text: s, kind }) in sizes.iter().enumerate() {
        for (order, c) in (0..).zip(constants.iter().filter(|&&c| c <= 1024)) {
            add(50 + order, format!("{s} <= {c}"));
            add(50 + order, format!("{s} >= {c}"));
            add(52 + order, format!("{s} % {c} == 0"));
            add(IS_CONSTANT + order, format!("{s} == {c}"));
        }
        for power in [2, 4, 8, 16, 32, 64].into_iter().filter(|power| !constants.contains(power)) {
            add(47 + u32::try_from(power / 8).unwrap_or(0), format!("{s} % {power} == 0"));
        }
        if *kind == SizeKind::Groups {
            add(75, format!("{s} == 1"));
        } else {
            add(54, format!("({s} & ({s} - 1)) == 0"));
        }
        for OpenSize { text: other, kind: other_kind } in &sizes[index + 1..] {
            if kind == other_kind {
                add(58, format!("{s} == {other}"));
                add(56, format!("{s} >= {other}"));
                add(56, format!("{s} <= {other}"));
            }
            if *kind == SizeKind::Local && *other_kind == SizeKind::Groups {
                add(57, format!("{s} >= {other}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_templates_are_expressions() {
        let int = Integer { bits: 32, signed: true };
        let word = Integer { bits: 32, signed: false };
        for language in [Language::Cuda, Language::OpenCl] {
            let sizes = open_sizes(language, &[None, Some(4)], &[None, None]);
            assert_eq!(sizes.len(), 5);
            let parameters = [("n".to_owned(), int), ("m".to_owned(), int), ("w".to_owned(), word)];
            let texts: Vec<String> = templates(&parameters, &Roles::default(), &sizes, &[64, 8])
                .into_iter()
                .map(|template| template.assumption.text)
                .collect();
            let global = if language == Language::Cuda { "gridDim.x * blockDim.x" } else { "get_global_size(0)" };
            for expected in ["n >= 0", "w <= 8", "n <= m", &format!("n >= 0 && n >= {global}"), "w % 64 == 0"] {
                assert!(texts.iter().any(|text| text == expected), "{expected}");
            }
            // Types that differ are not compared, and unsigned numbers have no sign.
            assert!(!texts.iter().any(|text| text == "n <= w" || text == "w >= 0"));
        }
    }
}
