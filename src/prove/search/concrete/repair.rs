//! Makes inputs satisfy the preconditions, by changing parameters and the host's numbers.
//!
//! Launches and parameters chosen to be revealing rarely satisfy `blocks == get_num_groups(0) &&
//! blocks * 256 >= n`. So the preconditions are processed in order. Where one fails, a parameter in
//! it gets another value. If both sides are linear in the parameter, values at which they are
//! equal, and their neighbours, are tried. Otherwise, as for the rounding in `blocks == (n + 255) /
//! 256`, a value at which one side overtakes the other is looked for. The revealing values are
//! tried too. A value is accepted if this precondition holds and those before it still do.

use lockstep_ir::sequential::{Expression, Node, Program, Sort, Variable};

use super::inputs::{Inputs, Knobs, set_number};
use super::machine::{Machine, Plan};
use super::tape::{Code, at};
use super::value::{Rule, Value};

/// The maximum number of values tried, over all inputs of a search.
const MOST_TRIES: u64 = 20_000;

/// The maximum number of values of a parameter tried at one precondition.
const TRIES: usize = 16;

/// The most bits of a value that is looked for.
const MOST_BITS: u32 = 31;

/// The preconditions of a program, and the parameters that may be changed to satisfy them.
pub struct Repair<'a> {
    program: &'a Program,
    code: &'a Code,
    knobs: &'a Knobs,
    /// The parameters that occur in each part of the preconditions.
    concerned: Vec<Vec<Variable>>,
    tries: u64,
}

impl<'a> Repair<'a> {
    /// The repair for a program.
    pub fn of(program: &'a Program, code: &'a Code, knobs: &'a Knobs) -> Self {
        let concerned = |&part: &Expression| {
            let mut variables = Vec::new();
            program.expressions.for_each_variable(part, |variable| {
                let may_change = knobs.host.contains(&variable) || knobs.parameters.contains(&variable);
                if may_change && !variables.contains(&variable) {
                    variables.push(variable);
                }
            });
            // The kernel does not get the host's numbers, so another value of these changes least.
            variables.sort_unstable_by_key(|variable| (!knobs.host.contains(variable), *variable));
            variables
        };
        Self { program, code, knobs, concerned: code.assumed.iter().map(concerned).collect(), tries: MOST_TRIES }
    }

    /// The inputs with parameters changed so that the preconditions hold; `None` if none are found.
    pub fn repaired(&mut self, mut inputs: Inputs, telling: &[u64]) -> Option<Inputs> {
        while let Some(part) = self.violated(&inputs) {
            inputs = self.step(&inputs, part, telling)?;
        }
        Some(inputs)
    }

    /// The inputs with one parameter changed to satisfy the preconditions up to this part.
    fn step(&mut self, inputs: &Inputs, part: usize, telling: &[u64]) -> Option<Inputs> {
        for parameter in self.concerned[part].clone() {
            let mut values = self.solutions(inputs, part, parameter);
            values.extend(telling);
            for value in values.into_iter().take(TRIES) {
                self.tries = self.tries.checked_sub(1)?;
                let changed = self.with(inputs, parameter, value);
                if self.violated(&changed).is_none_or(|next| next > part) {
                    return Some(changed);
                }
            }
        }
        None
    }

    /// Values at which both sides of a comparison are equal, and their neighbours.
    ///
    fn solutions(&self, inputs: &Inputs, part: usize, parameter: Variable) -> Vec<u64> {
        let expressions = &self.program.expressions;
        let mut part = self.code.assumed[part];
        if let Node::Not(negated) = *expressions.node(part) {
            part = negated;
        }
        let (&Node::Equal(a, b) | &Node::Compare(_, a, b)) = expressions.node(part) else { return Vec::new() };
        let Sort::Bits(1..=64) = expressions.sort(a) else { return Vec::new() };
        let Value::Word(now) = inputs[at(parameter)] else { return Vec::new() };
        let mut distance = |value: u64| {
            let changed = self.with(inputs, parameter, value);
            let mut machine = self.machine(&changed);
            let mut side = |side| {
                let value = machine.evaluate(side, &[]);
                super::sized(expressions.sort(side), &value).and_then(|bits| i128::try_from(bits.signed()).ok())
            };
            Some(side(a)? - side(b)?)
        };
        let (Some(here), Some(there)) = (distance(now), distance(now.wrapping_add(1))) else { return Vec::new() };
        let slope = there - here;
        let exact = if slope == 0 { None } else { u64::try_from(i128::from(now) - here / slope).ok() };
        let is_solved = exact.is_some_and(|exact| distance(exact) == Some(0));
        let found = exact.into_iter().chain(if is_solved { None } else { overtaken(&mut distance) });
        found
            .flat_map(|found| [Some(found), found.checked_add(1), found.checked_sub(1)].into_iter().flatten())
            .collect()
    }

    fn with(&self, inputs: &Inputs, parameter: Variable, value: u64) -> Inputs {
        let mut inputs = inputs.clone();
        set_number(self.program, &mut inputs, parameter, value);
        self.knobs.multiply(self.program, &mut inputs);
        inputs
    }

    fn violated(&self, inputs: &Inputs) -> Option<usize> {
        self.machine(inputs).violated()
    }

    fn machine(&self, inputs: &Inputs) -> Machine<'a> {
        let plan = Plan { rule: Rule { seed: 0, bits: 0 }, hit: None, fuel: u64::MAX, remember: false };
        Machine::new(self.program, self.code, inputs, plan, 0)
    }
}

/// A value at which a distance changes its sign.
fn overtaken(distance: &mut impl FnMut(u64) -> Option<i128>) -> Option<u64> {
    let mut is_over = |value: u64| Some(distance(value)? >= 0);
    let falls = is_over(0)?;
    // A sum that wraps around may go back, so the least power of two is looked for first.
    let mut above = None;
    for exponent in 0..MOST_BITS {
        if is_over(1 << exponent)? != falls {
            above = Some(1 << exponent);
            break;
        }
    }
    let mut above: u64 = above?;
    let mut below = above / 2;
    while above - below > 1 {
        let middle = below.midpoint(above);
        *(if is_over(middle)? == falls { &mut below } else { &mut above }) = middle;
    }
    // A distance that falls is 0 before it is negative.
    Some(if falls { below } else { above })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use lockstep_ir::sequential::parse;

    use super::*;
    use crate::search::concrete::compile::compile;
    use crate::search::concrete::inputs::arbitrary;

    /// The repaired values of three parameters, each initially 7.
    ///
    /// It is `None` if the preconditions stay violated.
    fn repaired(preconditions: &[&str], telling: &[u64]) -> Option<[u64; 3]> {
        let mut required = String::new();
        for condition in preconditions {
            writeln!(required, "require {condition} because \"it is asked for\";").expect("a string takes all");
        }
        let text = format!(
            "program \"test\" same-group;
             input a, b, c: bv32;
             {required}
             observe parameter \"a\" = a;
             observe parameter \"b\" = b;
             observe parameter \"c\" = c;
             body {{ }}"
        );
        let program = parse(&text).expect("a program");
        let code = compile(&program, &[]).expect("no maps");
        let knobs = Knobs::of(&program);
        let mut inputs = arbitrary(&program, Rule { seed: 0, bits: 0 });
        for (index, _) in program.expressions.variables() {
            inputs[at(index)] = Value::Word(7);
        }
        let repaired = Repair::of(&program, &code, &knobs).repaired(inputs, telling)?;
        let word = |index: usize| match repaired[index] {
            Value::Word(word) => word,
            Value::Wide(_) | Value::Map(_) => unreachable!("parameters of 32 bits"),
        };
        Some([word(0), word(1), word(2)])
    }

    #[test]
    fn a_parameter_is_made_what_it_is_compared_with() {
        assert_eq!(repaired(&["a == 12", "b == 3*a + 2"], &[]), Some([12, 38, 7]));
        // Seven already satisfies this.
        assert_eq!(repaired(&["a <u 8"], &[]), Some([7, 7, 7]));
        // The first value makes both sides equal; the next one is larger.
        assert_eq!(repaired(&["c >u 100"], &[]), Some([7, 7, 101]));
        assert_eq!(repaired(&["c <u 5"], &[]), Some([7, 7, 4]));
    }

    #[test]
    fn a_size_is_rounded_up() {
        assert_eq!(repaired(&["a == 12", "a == (b + 255) /s 256"], &[]), Some([12, 3072, 7]));
        assert_eq!(repaired(&["c == 12", "(3*b + 255) /s 256 == c"], &[]), Some([7, 1024, 12]));
        assert_eq!(repaired(&["1000 - b /u 16 == 7"], &[]), Some([7, 15888, 7]));
    }

    #[test]
    fn repaired_conditions_stay_true() {
        // The second one requires a change of b: a is 20, and 2 * 20 = b + 1.
        assert_eq!(repaired(&["a == 20", "2*a == b + 1"], &[]), Some([20, 39, 7]));
        // Every value tried for the second one violates the first.
        assert_eq!(repaired(&["a == 20", "a == 21"], &[1, 2, 3]), None);
    }

    #[test]
    fn where_nothing_can_be_solved_values_that_tell_are_tried() {
        assert_eq!(repaired(&["a * a == 729"], &[3, 9, 27]), Some([27, 7, 7]));
        assert_eq!(repaired(&["a * a == 730"], &[3, 9, 27]), None);
    }
}
