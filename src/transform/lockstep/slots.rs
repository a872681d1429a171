//! The variables that carry kernel values from one iteration to the next, or out of a loop.

use lockstep_ir::kernel::{Type, Value};
use lockstep_ir::sequential::{Copies, Expression, Loop, Role, Sort, Variable};

use super::{Lowered, Lowering, NULL, PointerExpression, TAG_WIDTH, sort};

/// The variables that hold one kernel value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Scalar(Variable),
    Pointer { tag: Option<Variable>, known: u64, offset: Variable },
}

impl Lowering<'_> {
    pub fn variable_copies(&mut self, uniform: bool, name: &str, sort: Sort, role: Role) -> Copies<Variable> {
        if uniform {
            return Copies::Uniform(self.e().add_variable(name, sort, None, role));
        }
        Copies::Each(
            [0, 1].map(|thread| self.e().add_variable(&format!("{name}${}", thread + 1), sort, Some(thread), role)),
        )
    }

    pub fn change_in(&mut self, variables: &Copies<Variable>, home: Option<Loop>) {
        for &variable in variables.iter() {
            self.homes[variable] = home;
        }
    }

    pub fn read(&mut self, variables: &Copies<Variable>) -> Copies<Expression> {
        (*variables).map(|variable| self.program.expressions.variable(variable))
    }

    pub fn assign_copies(&mut self, variables: &Copies<Variable>, values: &Copies<Expression>) {
        for thread in 0..if variables.is_uniform() { 1 } else { 2 } {
            self.assign(*variables.of(thread), *values.of(thread));
        }
    }

    /// New variables for a block parameter.
    pub fn slot(&mut self, parameter: Value, fallback: &str, home: Option<Loop>) -> Copies<Slot> {
        let name = self.kernel.values[parameter].name.clone().unwrap_or_else(|| fallback.to_owned());
        let name: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '_' }).collect();
        let uniform = self.of_pair.uniformity.value(parameter);
        match self.kernel.ty(parameter) {
            Type::Pointer(_) => {
                let targets = &self.facts.points_to[parameter];
                let single = match (targets.arrays.len(), targets.may_be_null()) {
                    (1, false) => targets.arrays.first().map(|array| u64::from(array.as_u32())),
                    (0, true) if !targets.elsewhere => Some(NULL),
                    _ => None,
                };
                let bits = self.kernel.pointer_bits;
                let offset = self.variable_copies(uniform, &format!("{name}.offset"), Sort::Bits(bits), Role::Value);
                let tag = single.is_none().then(|| {
                    self.variable_copies(uniform, &format!("{name}.array"), Sort::Bits(TAG_WIDTH), Role::Value)
                });
                self.change_in(&offset, home);
                if let Some(tag) = &tag {
                    self.change_in(tag, home);
                }
                self.copies(uniform, |_, thread| Slot::Pointer {
                    tag: tag.as_ref().map(|tag| *tag.of(thread)),
                    known: single.unwrap_or(NULL),
                    offset: *offset.of(thread),
                })
            }
            ty => {
                let variables = self.variable_copies(uniform, &name, sort(ty), Role::Value);
                self.change_in(&variables, home);
                variables.map(Slot::Scalar)
            }
        }
    }

    pub fn read_slot(&mut self, slot: &Copies<Slot>) -> Copies<Lowered> {
        (*slot).map(|slot| match slot {
            Slot::Scalar(variable) => Lowered::Scalar(self.program.expressions.variable(variable)),
            Slot::Pointer { tag, known, offset } => Lowered::Pointer(PointerExpression {
                tag: match tag {
                    Some(tag) => self.program.expressions.variable(tag),
                    None => self.program.expressions.number(TAG_WIDTH, known),
                },
                offset: self.program.expressions.variable(offset),
            }),
        })
    }

    pub fn assign_slot(&mut self, slot: &Copies<Slot>, value: &Copies<Lowered>) {
        let mut updates = Vec::new();
        push_updates(slot, value, &mut updates);
        for (variable, value) in updates {
            self.assign(variable, value);
        }
    }
}

pub fn push_updates(slot: &Copies<Slot>, value: &Copies<Lowered>, updates: &mut Vec<(Variable, Expression)>) {
    for thread in 0..if slot.is_uniform() { 1 } else { 2 } {
        match (*slot.of(thread), *value.of(thread)) {
            (Slot::Scalar(variable), Lowered::Scalar(value)) => updates.push((variable, value)),
            (Slot::Pointer { tag, offset, .. }, Lowered::Pointer(pointer)) => {
                if let Some(tag) = tag {
                    updates.push((tag, pointer.tag));
                }
                updates.push((offset, pointer.offset));
            }
            _ => panic!("a pointer and a scalar meet"),
        }
    }
}
