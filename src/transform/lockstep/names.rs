//! Names of expressions in printed programs: hints without meaning.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Block, Operation, Value};
use lockstep_ir::sequential::{Copies, Expression, Site};

use super::{Lowered, Lowering};

/// The most parts of a cell number that is written out at each access.
const SHORT: usize = 4;

impl Lowering<'_> {
    /// Names a value as the source does.
    pub fn name_value(&mut self, value: Value) {
        if self.kernel.values[value].name.is_none() {
            return;
        }
        let name = self.name_of(value, "");
        let expression = |lowered: Lowered| match lowered {
            Lowered::Scalar(expression) => (expression, ""),
            Lowered::Pointer(pointer) => (pointer.offset, ".offset"),
        };
        let Some(copies) = self.values[value].map(|copies| copies.map(expression)) else { return };
        let suffix = copies.of(0).1;
        self.name_copies(&copies.map(|(expression, _)| expression), &format!("{name}{suffix}"));
    }

    /// Names the result of an operation as the source does; a parameter has its name already.
    pub fn name_result(&mut self, operation: &Operation, result: Value) {
        if !matches!(operation, Operation::Parameter(_)) {
            self.name_value(result);
        }
    }

    /// Names the condition that threads are in a block `at.` and the line where the block begins.
    pub fn name_predicate(&mut self, block: Block) {
        let data = &self.kernel.blocks[block];
        let instructions = data.instructions.iter().filter_map(|&it| self.kernel.instructions[it].location);
        let lines = instructions.chain(data.location).map(|location| self.kernel.locations[location].line);
        let Some(line) = lines.into_iter().find(|&line| line > 0) else { return };
        if let Some(predicate) = self.predicates[block] {
            self.name_copies(&predicate, &format!("at.{line}"));
        }
    }

    /// Names the condition that thread 1's access at a site becomes the hit.
    pub fn name_hit(&mut self, site: Site, hit_now: Expression, touches: Expression) {
        // An expression that several sites may share is not named after one of them.
        if hit_now == touches {
            return;
        }
        self.e().hint_name(hit_now, &format!("hits.{}$1", site.as_u32()));
    }

    /// Names the cell of an access, if it is a long expression, `cell.` and the line.
    pub fn name_cells(&mut self, cells: Copies<Expression>) {
        let Some(location) = self.location else { return };
        let line = self.kernel.locations[location].line;
        if self.is_long(*cells.of(0)) {
            self.name_copies(&cells, &format!("cell.{line}"));
        }
    }

    /// Whether an expression has more parts than `zext64(lid + offset)`.
    fn is_long(&self, expression: Expression) -> bool {
        let mut parts = BTreeSet::new();
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            if parts.insert(top) && parts.len() > SHORT {
                return true;
            }
            self.program.expressions.for_each_operand(top, |operand| stack.push(operand));
        }
        false
    }

    fn name_copies(&mut self, copies: &Copies<Expression>, name: &str) {
        match *copies {
            Copies::Uniform(one) => self.e().hint_name(one, name),
            Copies::Each([first, second]) if first == second => self.e().hint_name(first, name),
            Copies::Each(both) => {
                for (thread, one) in (1..).zip(both) {
                    self.e().hint_name(one, &format!("{name}${thread}"));
                }
            }
        }
    }
}
