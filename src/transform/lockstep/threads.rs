//! The two threads: their ids, the launch's sizes, and the facts about them at the start.
//!
//! All ids and sizes are 32 bits wide. A launch of open size has fewer than 2^31 threads (DESIGN
//! 2.2), so none of the sums below wraps. In a launch of known sizes, a dimension may have more
//! threads than fit in 32 bits if the kernel asks for no global ids. Then the group start is the
//! product modulo 2^32, as a program in 32 bits computes it, and its relation to the global size is
//! unknown.
//!
//! Each dimension has the thread's index in its group, the group's index, the group size and the
//! number of groups. It also has the **group start** (group index times group size: the first
//! global id of the group) and the global size (group size times number of groups). A product of
//! two unknowns is an unknown of its own, tied to the others by linear facts. The group start
//! differs by at least the group size between groups, and the last group ends at the global size.
//! Products of the same two factors in the kernel are replaced by it ([`Threads::known_product`]).
//! This keeps proofs about open sizes free of multiplications, at no loss of soundness: every real
//! launch satisfies the facts. The equations between these unknowns and the products are listed in
//! [`Program::exact`], so that a defect is one of a real launch.

use lockstep_invariants::ranges::{Range, Ranges};
use std::ops;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::ThreadQuery;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, Expressions, Ground, Node, Pair, Precondition, Program, Role, Sort,
};
use lockstep_options::launch::{Extent, Launch};

use crate::rounds::units::{self, Units};

const WIDTH: u32 = 32;
const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

/// The ids and sizes of one dimension, all 32 bits wide.
#[derive(Clone, Debug)]
struct Dimension {
    local_id: [Expression; 2],
    group_id: Copies<Expression>,
    group_start: Copies<Expression>,
    local_size: Expression,
    num_groups: Expression,
    global_size: Expression,
    /// Whether the global size is only known modulo 2^32.
    wraps: bool,
    offset: u32,
}

/// The ids and sizes of a program's two threads.
#[derive(Clone, Debug)]
pub struct Threads {
    dimensions: Vec<Dimension>,
    warp_size: u32,
    work_dimensions: Expression,
}

impl Threads {
    /// Adds the inputs and preconditions to a program.
    pub fn new(program: &mut Program, launch: &Launch, warp_size: u32) -> Self {
        let dimensions: Vec<Dimension> = (0..3).map(|d| dimension(program, launch, d)).collect();
        require_sizes_in_all(program, &dimensions, launch);
        require_different_threads(program, &dimensions);
        let open = launch.local_size.iter().chain(&launch.num_groups).any(|extent| extent.known().is_none());
        if open {
            let sizes = Assumed::DeviceSizes { group: launch.max_group_size, launch: launch.max_launch_threads };
            program.assumptions.add(sizes.everywhere());
        }
        let e = &mut program.expressions;
        let work_dimensions = if let Some(number) = launch.dimensions {
            e.number(WIDTH, u64::from(number))
        } else {
            let variable = e.add_variable("work_dim", Sort::Bits(WIDTH), None, Role::Input);
            e.variable(variable)
        };
        observe(program, &dimensions);
        Self { dimensions, warp_size, work_dimensions }
    }

    /// The value of a query, `pointer_bits` wide; `None` if it is not modelled.
    pub fn query(&self, e: &mut Expressions, query: ThreadQuery, pointer_bits: u32) -> Option<Copies<Expression>> {
        let of = |d: u8| self.dimensions.get(usize::from(d));
        let narrow = match query {
            ThreadQuery::LocalId(d) => pair(of(d)?.local_id),
            ThreadQuery::GroupId(d) => of(d)?.group_id,
            ThreadQuery::GlobalId(d) => {
                let dimension = of(d)?;
                Copies::Each([0, 1].map(|thread| {
                    let start = e.add(*dimension.group_start.of(thread), dimension.local_id[thread]);
                    let offset = e.number(WIDTH, u64::from(dimension.offset));
                    e.add(start, offset)
                }))
            }
            ThreadQuery::LocalSize(d) => Copies::Uniform(of(d)?.local_size),
            ThreadQuery::NumGroups(d) => Copies::Uniform(of(d)?.num_groups),
            ThreadQuery::GlobalSize(d) => Copies::Uniform(of(d)?.global_size),
            ThreadQuery::GlobalOffset(d) => Copies::Uniform(e.number(WIDTH, u64::from(of(d)?.offset))),
            ThreadQuery::Dimensions => Copies::Uniform(self.work_dimensions),
            ThreadQuery::LaneId => pair([0, 1].map(|thread| self.lane(e, thread))),
            ThreadQuery::WarpSize => Copies::Uniform(e.number(WIDTH, u64::from(self.warp_size))),
        };
        Some(narrow.map(|id| e.zero_extend(pointer_bits, id)))
    }

    /// A thread's linear index in its group over all dimensions, the first one fastest.
    pub fn linear(&self, e: &mut Expressions, thread: usize) -> Expression {
        let mut index = e.number(WIDTH, 0);
        for dimension in self.dimensions.iter().rev() {
            index = e.multiply(index, dimension.local_size);
            index = e.add(index, dimension.local_id[thread]);
        }
        index
    }

    /// The number of threads in a warp.
    pub fn warp_size(&self) -> u32 {
        self.warp_size
    }

    /// The width of a lane's number in bits.
    fn lane_bits(&self) -> u32 {
        self.warp_size.trailing_zeros()
    }

    /// A thread's lane in its warp, 32 bits. Warps consist of consecutive threads.
    pub fn lane(&self, e: &mut Expressions, thread: usize) -> Expression {
        let index = self.linear(e, thread);
        let lane = e.extract(self.lane_bits() - 1, 0, index);
        e.zero_extend(WIDTH, lane)
    }

    /// Whether two threads of a group are in one warp.
    pub fn same_warp(&self, e: &mut Expressions) -> Expression {
        let warps = [0, 1].map(|thread| {
            let index = self.linear(e, thread);
            e.extract(WIDTH - 1, self.lane_bits(), index)
        });
        e.equal(warps[0], warps[1])
    }

    /// Whether a thread is one of these.
    pub fn in_units(&self, e: &mut Expressions, thread: usize, units: &Units) -> Expression {
        self.in_ranges(e, thread, units::ranges(units, u64::from(self.warp_size)))
    }

    /// Whether the number of a thread in its group is in one of these ranges.
    pub fn in_ranges(&self, e: &mut Expressions, thread: usize, ranges: Vec<ops::Range<u64>>) -> Expression {
        let index = self.linear(e, thread);
        let within: Vec<Expression> = ranges
            .into_iter()
            .map(|range| {
                let [first, count] = [range.start, range.end - range.start].map(|threads| e.number(WIDTH, threads));
                let distance = e.subtract(index, first);
                e.compare(CompareOp::UnsignedLess, distance, count)
            })
            .collect();
        e.or(within)
    }

    /// The number of threads in a group, in this many bits.
    pub fn group_threads(&self, e: &mut Expressions, width: u32) -> Expression {
        let mut product = e.number(WIDTH, 1);
        for dimension in &self.dimensions {
            product = e.multiply(product, dimension.local_size);
        }
        if width > WIDTH { e.zero_extend(width, product) } else { e.extract(width - 1, 0, product) }
    }

    /// Requires groups of whole warps, and lists the assumption.
    pub fn require_whole_warps(&self, program: &mut Program) {
        let e = &mut program.expressions;
        let all = self.group_threads(e, WIDTH);
        let rest = e.extract(self.lane_bits() - 1, 0, all);
        let none = e.number(self.lane_bits(), 0);
        let condition = e.equal(rest, none);
        require(program, condition, "groups of open size are whole warps (--partial-warps)");
        program.assumptions.add(Assumed::WholeWarps { lanes: self.warp_size }.everywhere());
    }

    /// Whether a thread's warp has this lane.
    pub fn lane_exists(&self, e: &mut Expressions, thread: usize, lane: Expression) -> Expression {
        let all = self.group_threads(e, WIDTH);
        let whole = e.as_bits(all).and_then(Bits::to_u64).is_some_and(|all| all % u64::from(self.warp_size) == 0);
        if whole {
            let size = e.number(WIDTH, u64::from(self.warp_size));
            return e.compare(CompareOp::UnsignedLess, lane, size);
        }
        let index = self.linear(e, thread);
        let own = self.lane(e, thread);
        let first = e.subtract(index, own);
        let index = e.add(first, lane);
        e.compare(CompareOp::UnsignedLess, index, all)
    }

    /// The global id, in the first dimension, of the thread in `thread`'s group with this local id
    /// there.
    pub fn global_id(&self, e: &mut Expressions, thread: usize, local_id: Expression) -> Expression {
        let dimension = &self.dimensions[0];
        let local_id = if e.width(local_id) > WIDTH { e.extract(WIDTH - 1, 0, local_id) } else { local_id };
        let start = e.add(*dimension.group_start.of(thread), local_id);
        let offset = e.number(WIDTH, u64::from(dimension.offset));
        e.add(start, offset)
    }

    /// Bounds the sums of ids: groups and threads lie in the launch. The bounds follow from the
    /// preconditions together, though from none of them alone.
    pub fn bound_ids(&self, e: &mut Expressions, ranges: &mut Ranges) {
        for dimension in self.dimensions.iter().filter(|dimension| !dimension.wraps) {
            let Some(size) = ranges.of(e, dimension.global_size).filter(|size| size.low > 0) else { continue };
            let index = Range { low: 0, high: size.high - 1 };
            for thread in [0, 1] {
                let start = *dimension.group_start.of(thread);
                ranges.learn_range(e, start, index);
                let id = e.add(start, dimension.local_id[thread]);
                ranges.learn_range(e, id, index);
            }
        }
    }

    /// The product of two 32-bit or zero-extended unknowns, if it is an unknown of its own: group
    /// index times group size, or group size times number of groups.
    pub fn known_product(&self, e: &mut Expressions, a: Expression, b: Expression) -> Option<Expression> {
        let width = e.width(a);
        if width < WIDTH {
            return None;
        }
        let (x, y) = (narrowed(e, a)?, narrowed(e, b)?);
        for dimension in &self.dimensions {
            if x != dimension.local_size && y != dimension.local_size {
                continue;
            }
            let other = if x == dimension.local_size { y } else { x };
            if other == dimension.num_groups {
                return Some(e.zero_extend(width, dimension.global_size));
            }
            for thread in [0, 1] {
                if other == *dimension.group_id.of(thread) {
                    return Some(e.zero_extend(width, *dimension.group_start.of(thread)));
                }
            }
        }
        None
    }

    /// A known product `p` and a number `d`; the product of the two numbers is at most `p / d`.
    ///
    /// This is the number of warps or tiles before a group: a quotient of the group size by `d`,
    /// times a group index or the number of groups. `(s / d) * g <= (s * g) / d`, because the left
    /// side is a whole number and `d` times it is at most `s * g`.
    pub fn bounding_product(&self, e: &mut Expressions, a: Expression, b: Expression) -> Option<(Expression, u64)> {
        [(a, b), (b, a)].into_iter().find_map(|(part, other)| {
            let (whole, by) = quotient(e, part)?;
            Some((self.known_product(e, whole, other)?, by))
        })
    }
}

/// A quotient as its dividend and constant divisor: a division, or the highest bits of a number.
fn quotient(e: &Expressions, expression: Expression) -> Option<(Expression, u64)> {
    match *e.node(expression) {
        Node::ZeroExtend(inner) => quotient(e, inner),
        Node::Extract(high, low, of) if high + 1 == e.width(of) && low > 0 => Some((of, 1_u64.checked_shl(low)?)),
        Node::Binary(BinaryOp::UnsignedDivide, of, by) => Some((of, e.as_bits(by)?.to_u64().filter(|&by| by > 0)?)),
        _ => None,
    }
}

fn narrowed(e: &Expressions, expression: Expression) -> Option<Expression> {
    match e.node(expression) {
        Node::Variable(_) if e.width(expression) == WIDTH => Some(expression),
        &Node::ZeroExtend(inner) if e.width(inner) == WIDTH => Some(inner),
        // The products of this dimension are computed as they stand.
        _ => None,
    }
}

fn pair(both: [Expression; 2]) -> Copies<Expression> {
    if both[0] == both[1] { Copies::Uniform(both[0]) } else { Copies::Each(both) }
}

fn dimension(program: &mut Program, launch: &Launch, d: usize) -> Dimension {
    let name = DIMENSIONS[d];
    let max_group = u64::from(launch.max_group_size);
    let elsewhere: u64 =
        (0..3).filter(|&other| other != d).map(|other| least_threads(launch, other)).fold(1, u64::saturating_mul);
    let max_launch = ((launch.max_launch_threads - 1) / elsewhere).max(1);
    let known = |extent: Extent| extent.known().map(u64::from);
    let (local, groups) = (known(launch.local_size[d]), known(launch.num_groups[d]));
    let global = known(launch.global_size[d]).or_else(|| Some(local? * groups?));
    let wraps = global.is_some_and(|threads| threads > u64::from(u32::MAX));
    let global = global.map(|threads| threads & u64::from(u32::MAX));
    let local_size = size(program, &format!("local_size.{name}"), local, max_group);
    let num_groups = size(program, &format!("num_groups.{name}"), groups, max_launch);
    let e = &mut program.expressions;
    let global_size = match (global, local, groups) {
        (Some(number), ..) => e.number(WIDTH, number),
        (None, Some(factor), None) => e.scale(Bits::new(WIDTH, factor), num_groups),
        (None, None, Some(factor)) => e.scale(Bits::new(WIDTH, factor), local_size),
        (None, None, None) | (None, Some(_), Some(_)) => {
            let size = size(program, &format!("global_size.{name}"), None, max_launch);
            at_most(program, local_size, size, "a launch has at least one group");
            at_most(program, num_groups, size, "a group has at least one thread");
            require_product(program, size, [num_groups, local_size], "the global size is that of all groups");
            size
        }
    };
    if global.is_some() && (local.is_none() || groups.is_none()) {
        require_product(program, global_size, [num_groups, local_size], "the global size is that of all groups");
    }
    let scaled = match (global, local, groups) {
        (None, Some(factor), None) => Some((factor, num_groups)),
        (None, None, Some(factor)) => Some((factor, local_size)),
        (Some(_), ..) | (None, None, None) | (None, Some(_), Some(_)) => None,
    };
    if let Some((factor, unknown)) = scaled {
        // global = factor * unknown: keep the unknown small enough that the product does not wrap.
        let bound = program.expressions.number(WIDTH, max_launch / factor.max(1));
        at_most(program, unknown, bound, "a launch has fewer threads than the limit");
    }
    let local_id = [1, 2].map(|thread| {
        index(
            program,
            &format!("local_id.{name}${thread}"),
            Some(thread - 1),
            local_size,
            "thread ids lie in the group",
        )
    });
    let group_id = per_pair(program.pair, |thread| {
        let name = thread.map_or(format!("group_id.{name}"), |t| format!("group_id.{name}${}", t + 1));
        index(program, &name, thread, num_groups, "group ids lie in the launch")
    });
    let group_start = per_pair(program.pair, |thread| {
        let group = *group_id.of(thread.unwrap_or(0));
        if let Some(factor) = local {
            return program.expressions.scale(Bits::new(WIDTH, factor), group);
        }
        if program.expressions.as_bits(group).is_some_and(Bits::is_zero) {
            return group;
        }
        let name = thread.map_or(format!("group_start.{name}"), |t| format!("group_start.{name}${}", t + 1));
        let variable = program.expressions.add_variable(&name, Sort::Bits(WIDTH), thread, Role::Input);
        let start = program.expressions.variable(variable);
        let e = &mut program.expressions;
        let last = e.subtract(global_size, local_size);
        at_most(program, start, last, "a group lies in the launch");
        // The bound is implied, but bounds are more easily found for numbers, and for the index as
        // a whole.
        let most = program.expressions.number(WIDTH, max_launch - 1);
        at_most(program, start, most, "a group lies in the launch");
        for (number, local_id) in (0..).zip(local_id) {
            if thread.is_none_or(|thread| thread == number) {
                let index = program.expressions.add(local_id, start);
                let condition = program.expressions.compare(CompareOp::UnsignedLess, index, global_size);
                require(program, condition, "a group lies in the launch");
            }
        }
        at_most(program, group, start, "a group starts at its index times its size");
        require_product(program, start, [group, local_size], "a group starts at its index times its size");
        start
    });
    if let (Copies::Each(group), Copies::Each(start)) = (&group_id, &group_start)
        && local.is_none()
    {
        require_disjoint_groups(program, *group, *start, local_size);
    }
    let offset = launch.global_offset[d];
    Dimension { local_id, group_id, group_start, local_size, num_groups, global_size, wraps, offset }
}

fn per_pair(pair: Pair, mut make: impl FnMut(Option<usize>) -> Expression) -> Copies<Expression> {
    match pair {
        Pair::SameGroup | Pair::Alone | Pair::SameThread => Copies::Uniform(make(None)),
        Pair::DifferentGroups => {
            let both = [make(Some(0)), make(Some(1))];
            if both[0] == both[1] { Copies::Uniform(both[0]) } else { Copies::Each(both) }
        }
    }
}

/// A size from 1 to `max`.
fn size(program: &mut Program, name: &str, known: Option<u64>, max: u64) -> Expression {
    let e = &mut program.expressions;
    if let Some(number) = known {
        return e.number(WIDTH, number);
    }
    let variable = e.add_variable(name, Sort::Bits(WIDTH), None, Role::Input);
    let size = e.variable(variable);
    let one = e.number(WIDTH, 1);
    let max = e.number(WIDTH, max);
    at_most(program, one, size, "sizes are at least 1");
    at_most(program, size, max, "sizes are those a device could run");
    size
}

/// An index below a size.
fn index(program: &mut Program, name: &str, thread: Option<usize>, size: Expression, reason: &str) -> Expression {
    let e = &mut program.expressions;
    if e.as_bits(size).is_some_and(Bits::is_one) {
        return e.number(WIDTH, 0);
    }
    let variable = e.add_variable(name, Sort::Bits(WIDTH), thread, Role::Input);
    let index = e.variable(variable);
    let condition = e.compare(CompareOp::UnsignedLess, index, size);
    require(program, condition, reason);
    index
}

fn at_most(program: &mut Program, a: Expression, b: Expression, reason: &str) {
    let condition = program.expressions.compare(CompareOp::UnsignedLessEqual, a, b);
    require(program, condition, reason);
}

fn require(program: &mut Program, condition: Expression, reason: &str) {
    let known = |known: &Precondition| known.condition == condition;
    if program.expressions.as_boolean(condition) != Some(true) && !program.preconditions.iter().any(known) {
        program.preconditions.push(Precondition { condition, ground: Ground::Model(reason.into()) });
    }
}

/// The least number of threads of a launch in a dimension. The other dimensions reduce it to their
/// share of the limit.
fn least_threads(launch: &Launch, d: usize) -> u64 {
    let known = |extent: Extent| extent.known().map(u64::from);
    let (local, groups) = (known(launch.local_size[d]), known(launch.num_groups[d]));
    known(launch.global_size[d]).unwrap_or(local.unwrap_or(1).saturating_mul(groups.unwrap_or(1))).max(1)
}

/// Requires `product = factors[0] * factors[1]` as numbers: factors and product have 32 bits, so 64
/// bits do not wrap.
fn require_product(program: &mut Program, product: Expression, factors: [Expression; 2], reason: &str) {
    let e = &mut program.expressions;
    let [a, b] = factors.map(|factor| e.zero_extend(2 * WIDTH, factor));
    let exact = e.binary(BinaryOp::Multiply, a, b);
    let product = e.zero_extend(2 * WIDTH, product);
    let condition = e.equal(product, exact);
    require_exactly(program, condition, reason);
}

fn require_exactly(program: &mut Program, condition: Expression, reason: &str) {
    let known = |known: &Precondition| known.condition == condition;
    if program.expressions.as_boolean(condition) != Some(true) && !program.exact.iter().any(known) {
        program.exact.push(Precondition { condition, ground: Ground::Model(reason.into()) });
    }
}

/// Limits the numbers of threads in a group and in the launch, over all dimensions. The limit on a
/// group is worth its multiplications in a proof, because local arrays are as large as a group.
fn require_sizes_in_all(program: &mut Program, dimensions: &[Dimension], launch: &Launch) {
    let open = |extents: &[Extent; 3]| extents.iter().any(|extent| extent.known().is_none());
    if open(&launch.local_size) {
        let sizes: Vec<Expression> = dimensions.iter().map(|dimension| dimension.local_size).collect();
        for condition in products_at_most(program, &sizes, u64::from(launch.max_group_size)) {
            require(program, condition, "a group is one that a device could run");
        }
    }
    if open(&launch.local_size) || open(&launch.num_groups) {
        let sizes: Vec<Expression> = dimensions.iter().map(|dimension| dimension.global_size).collect();
        for condition in products_at_most(program, &sizes, launch.max_launch_threads - 1) {
            require_exactly(program, condition, "a launch has fewer threads than the limit");
        }
    }
}

/// The conditions that the product of sizes is at most a limit, as each size is. They add one
/// factor after the other. Each partial product is at most the limit, so twice its width is enough.
fn products_at_most(program: &mut Program, sizes: &[Expression], limit: u64) -> Vec<Expression> {
    let e = &mut program.expressions;
    let width = if limit < 1 << (WIDTH / 2) { WIDTH } else { 2 * WIDTH };
    let mut conditions = Vec::new();
    let limit = e.number(width, limit);
    let mut product: Option<Expression> = None;
    for &size in sizes {
        let size = e.zero_extend(width, size);
        product = Some(match product {
            None => size,
            Some(before) => {
                let product = e.binary(BinaryOp::Multiply, before, size);
                conditions.push(e.compare(CompareOp::UnsignedLessEqual, product, limit));
                product
            }
        });
    }
    conditions
}

/// Requires that groups with the same index start at the same place, and that others are a group
/// size apart.
fn require_disjoint_groups(program: &mut Program, group: [Expression; 2], start: [Expression; 2], size: Expression) {
    let e = &mut program.expressions;
    let same_group = e.equal(group[0], group[1]);
    let same_start = e.equal(start[0], start[1]);
    let consistent = e.implies(same_group, same_start);
    require(program, consistent, "a group has one start");
    for (low, high) in [(0, 1), (1, 0)] {
        let e = &mut program.expressions;
        let before = e.compare(CompareOp::UnsignedLess, group[low], group[high]);
        let end = e.add(start[low], size);
        let apart = e.compare(CompareOp::UnsignedLessEqual, end, start[high]);
        let condition = e.implies(before, apart);
        require(program, condition, "groups do not overlap");
    }
}

fn require_different_threads(program: &mut Program, dimensions: &[Dimension]) {
    if matches!(program.pair, Pair::Alone | Pair::SameThread) {
        return;
    }
    let e = &mut program.expressions;
    let mut differences = Vec::new();
    for dimension in dimensions {
        let equal = match program.pair {
            Pair::SameGroup | Pair::Alone | Pair::SameThread => e.equal(dimension.local_id[0], dimension.local_id[1]),
            Pair::DifferentGroups => e.equal(*dimension.group_id.of(0), *dimension.group_id.of(1)),
        };
        let different = e.not(equal);
        differences.push(different);
    }
    let condition = e.or(differences);
    let reason = match program.pair {
        Pair::SameGroup | Pair::Alone | Pair::SameThread => "the two threads are different",
        Pair::DifferentGroups => "the two threads are in different groups",
    };
    require(program, condition, reason);
}

fn observe(program: &mut Program, dimensions: &[Dimension]) {
    for dimension in dimensions {
        program.observables.local_ids.push(Copies::Each(dimension.local_id));
        program.observables.group_ids.push(dimension.group_id);
        program.observables.local_sizes.push(dimension.local_size);
        program.observables.num_groups.push(dimension.num_groups);
        program.observables.group_starts.push(dimension.group_start);
        program.observables.global_sizes.push(dimension.global_size);
    }
}

/// Whether such a pair of threads can exist at all in a launch.
pub fn possible(launch: &Launch, pair: Pair) -> bool {
    let more_than_one = |sizes: &[Extent; 3]| sizes.iter().any(|&extent| extent != Extent::Known(1));
    match pair {
        Pair::SameGroup => more_than_one(&launch.local_size),
        Pair::DifferentGroups => more_than_one(&launch.num_groups),
        Pair::SameThread => true,
        Pair::Alone => launch.local_size.iter().all(|&extent| matches!(extent, Extent::Open | Extent::Known(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_the_highest_bits_or_divisions_by_numbers() {
        let mut e = Expressions::new();
        let size = e.add_variable("size", Sort::Bits(WIDTH), None, Role::Input);
        let size = e.variable(size);
        let highest = e.extract(31, 5, size);
        let widened = e.zero_extend(WIDTH, highest);
        assert_eq!(quotient(&e, widened), Some((size, 32)));
        let three = e.number(WIDTH, 3);
        let third = e.binary(BinaryOp::UnsignedDivide, size, three);
        assert_eq!(quotient(&e, third), Some((size, 3)));
        // The bits in between are less than a quotient, of a number that is not known to be small.
        let between = e.extract(30, 5, size);
        for other in [size, between, e.binary(BinaryOp::UnsignedRemainder, size, three)] {
            assert_eq!(quotient(&e, other), None);
        }
    }
}
