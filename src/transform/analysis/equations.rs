//! Arguments and sizes that the preconditions of a kernel equate with constants.
//!
//! `__requires(m == 1024)`, `--assume` and relations of the host's launches may give a parameter or
//! a size of the launch one value. The kernel is then lowered with this value in place of a symbol:
//! products with it are linear, loops have known trip counts, and indices split into digits of
//! known sizes. Every launch that satisfies the preconditions has the value, so nothing is lost;
//! the precondition itself stays.
//!
//! A precondition counts if each thread executes its block, which post-dominates the entry. (It is
//! otherwise a condition about the threads that come there.)

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, PostDominators};
use lockstep_ir::kernel::{
    AssumeKind, BinaryOp, Block, CompareOp, ConvertOp, Definition, Kernel, Operation, Terminator, ThreadQuery, Type,
    Value,
};

/// The deepest nesting of a condition that is looked into.
const DEEPEST: usize = 16;

/// Parameters and sizes with known values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equations {
    /// The values of parameters, by their indices.
    pub parameters: BTreeMap<u32, Bits>,
    /// Threads per group, by dimension.
    pub local_sizes: BTreeMap<u8, u64>,
    /// Groups, by dimension.
    pub num_groups: BTreeMap<u8, u64>,
}

/// The equations among the preconditions of a kernel.
pub fn equations(kernel: &Kernel) -> Equations {
    let is_stated =
        |kind: AssumeKind| matches!(kind, AssumeKind::Precondition | AssumeKind::Given | AssumeKind::Launch);
    let mut stated = Vec::new();
    for (block, data) in &kernel.blocks {
        for &instruction in &data.instructions {
            if let Operation::Assume(holds, kind) = kernel.instructions[instruction].operation
                && is_stated(kind)
            {
                stated.push((block, holds));
            }
        }
    }
    let mut found = Equations::default();
    if stated.is_empty() {
        return found;
    }
    let cfg = cfg::analyse(kernel);
    let ends = PostDominators::new(&cfg.graph);
    let is_executed = |block: Block| cfg.graph.is_reachable(block) && ends.post_dominates(block, kernel.entry);
    for (block, holds) in stated {
        if is_executed(block) {
            let mut reader = Reader { kernel, found: &mut found, is_executed: &is_executed };
            reader.holds(holds, 0);
        }
    }
    found
}

struct Reader<'a> {
    kernel: &'a Kernel,
    found: &'a mut Equations,
    is_executed: &'a dyn Fn(Block) -> bool,
}

impl Reader<'_> {
    /// Reads a condition that holds.
    fn holds(&mut self, condition: Value, depth: usize) {
        if depth == DEEPEST {
            return;
        }
        match self.kernel.operation(condition) {
            Some(&Operation::Binary(BinaryOp::And, _, a, b)) if self.kernel.ty(condition) == Type::Bool => {
                self.holds(a, depth + 1);
                self.holds(b, depth + 1);
            }
            Some(&Operation::Compare(CompareOp::Equal, a, b)) => {
                self.equal(a, b);
                self.equal(b, a);
            }
            Some(&Operation::Compare(CompareOp::NotEqual, number, zero)) if self.is_zero(zero) => {
                for truth in self.truths(number) {
                    self.holds(truth, depth + 1);
                }
            }
            Some(_) => {}
            None => self.conjunction(condition, depth),
        }
    }

    /// The truth values that all hold if a number is not zero: it is one of them, or `a & b`.
    fn truths(&self, number: Value) -> Vec<Value> {
        let both = match self.kernel.operation(number) {
            Some(&Operation::Binary(BinaryOp::And, _, a, b)) => vec![a, b],
            _ => vec![number],
        };
        let truth = |number: Value| match self.kernel.operation(number) {
            Some(&Operation::Convert(ConvertOp::ZeroExtend, truth)) if self.kernel.ty(truth) == Type::Bool => {
                Some(truth)
            }
            _ => None,
        };
        both.into_iter().map(truth).collect::<Option<Vec<Value>>>().unwrap_or_default()
    }

    /// Reads a conjunction that the compiler has made a branch: `a && b` is false where `a` is, and
    /// otherwise `b`.
    fn conjunction(&mut self, condition: Value, depth: usize) {
        let Definition::Parameter(block, index) = self.kernel.values[condition].definition else { return };
        if !(self.is_executed)(block) {
            return;
        }
        let mut left = None;
        for (from, target) in self.edges_to(block) {
            let Some(&argument) = target.get(index as usize) else { return };
            if !self.is_zero(argument) && left.replace((from, argument)).is_some() {
                return;
            }
        }
        let Some((from, argument)) = left else { return };
        self.holds(argument, depth + 1);
        self.reached(from, depth + 1);
    }

    /// Reads the conditions of the branches that alone lead to a block that is executed.
    fn reached(&mut self, block: Block, depth: usize) {
        let edges = self.edges_to(block);
        let &[(from, _)] = edges.as_slice() else { return };
        if depth == DEEPEST {
            return;
        }
        if let Terminator::Branch { condition, then, .. } = &self.kernel.blocks[from].terminator
            && then.block == block
        {
            self.holds(*condition, depth + 1);
        }
        self.reached(from, depth + 1);
    }

    /// The edges to a block, each with its start and arguments.
    fn edges_to(&self, block: Block) -> Vec<(Block, &[Value])> {
        let blocks = self.kernel.blocks.iter();
        let edges = blocks.flat_map(|(from, data)| data.terminator.targets().map(move |target| (from, target)));
        edges.filter(|(_, target)| target.block == block).map(|(from, target)| (from, &*target.arguments)).collect()
    }

    fn is_zero(&self, value: Value) -> bool {
        self.kernel.constant(value).is_some_and(Bits::is_zero)
    }

    fn equal(&mut self, symbol: Value, constant: Value) {
        if let Some(constant) = self.kernel.constant(constant) {
            self.is(symbol, constant.clone());
        }
    }

    fn is(&mut self, symbol: Value, value: Bits) {
        match self.kernel.operation(symbol) {
            Some(&Operation::Parameter(index)) => {
                self.found.parameters.entry(index).or_insert(value);
            }
            Some(&Operation::ThreadQuery(query)) => {
                let sizes = match query {
                    ThreadQuery::LocalSize(dimension) => Some((&mut self.found.local_sizes, dimension)),
                    ThreadQuery::NumGroups(dimension) => Some((&mut self.found.num_groups, dimension)),
                    _ => None,
                };
                if let (Some((sizes, dimension)), Some(value)) = (sizes, value.to_u64()) {
                    sizes.entry(dimension).or_insert(value);
                }
            }
            Some(&Operation::Convert(op, inner)) => {
                let Some(width) = self.kernel.ty(inner).width().filter(|&width| width > 0) else { return };
                let is_size = matches!(self.kernel.operation(inner), Some(Operation::ThreadQuery(_)));
                let narrow = || value.extract(width - 1, 0);
                match op {
                    ConvertOp::ZeroExtend if narrow().zero_extend(value.width()) == value => self.is(inner, narrow()),
                    ConvertOp::SignExtend if narrow().sign_extend(value.width()) == value => self.is(inner, narrow()),
                    // Sizes are below 2^32.
                    ConvertOp::Truncate if is_size && value.width() >= 32 => self.is(inner, value.zero_extend(width)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
