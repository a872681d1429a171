//! Prints a program as OpenCL C.

use std::fmt::Write as _;

use super::program::{
    AtomicOperation, BOUND_MASK, Condition, Form, Operator, PARAMETER_MASK, Place, Program, Relation, Statement, Value,
};

/// The kernel of this name.
pub fn opencl(program: &Program, name: &str) -> String {
    let global = (0..program.arrays.len()).filter(|&array| !program.arrays[array].is_local);
    let parameters: Vec<String> = global.map(|array| format!("__global uint *{}", program.name(array))).collect();
    let mut printer =
        Printer { program, text: format!("__kernel void {name}({}, uint n) {{\n", parameters.join(", ")) };
    for array in (0..program.arrays.len()).filter(|&array| program.arrays[array].is_local) {
        printer.line(1, &format!("__local uint {}[{}];", program.name(array), program.arrays[array].cells));
    }
    for variable in 0..program.variables {
        printer.line(1, &format!("uint v{variable} = {};", value(&initial(variable))));
    }
    printer.statements(1, &program.body);
    printer.text + "}\n"
}

/// What a variable is at first.
pub fn initial(variable: usize) -> Value {
    match variable {
        0 => Value::LocalId(0),
        1 => Value::GlobalId(0),
        _ => Value::Parameter,
    }
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
    }

    fn statements(&mut self, depth: usize, statements: &[Statement]) {
        for statement in statements {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        match statement {
            Statement::Assign(to, number) => self.line(depth, &format!("v{to} = {};", value(number))),
            Statement::Load { to, place, mask } => {
                let place = self.place(place);
                self.line(depth, &format!("v{to} = {place} & {mask}u;"));
            }
            Statement::Store { place, value: number } => {
                let place = self.place(place);
                self.line(depth, &format!("{place} = {};", value(number)));
            }
            Statement::Atomic { operation, place, operand, to } => {
                let call = self.atomic(*operation, place, operand);
                match to {
                    Some((to, mask)) => self.line(depth, &format!("v{to} = {call} & {mask}u;")),
                    None => self.line(depth, &format!("{call};")),
                }
            }
            Statement::If { condition: of, then, otherwise } => {
                self.line(depth, &format!("if ({}) {{", condition(of)));
                self.statements(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.statements(depth + 1, otherwise);
                }
                self.line(depth, "}");
            }
            Statement::Loop { number, form, is_checked_last, body } => {
                let (from, goes_on, next) = loop_words(*number, form);
                if *is_checked_last {
                    self.line(depth, &format!("uint i{number} = {from}; do {{"));
                } else {
                    self.line(depth, &format!("for (uint i{number} = {from}; {goes_on}; {next}) {{"));
                }
                self.statements(depth + 1, body);
                let end = if *is_checked_last { format!("}} while ({next}, {goes_on});") } else { "}".to_owned() };
                self.line(depth, &end);
            }
            Statement::Break => self.line(depth, "break;"),
            Statement::Continue => self.line(depth, "continue;"),
            Statement::Return => self.line(depth, "return;"),
            Statement::Barrier { local, global } => {
                let flags = [(*local, "CLK_LOCAL_MEM_FENCE"), (*global, "CLK_GLOBAL_MEM_FENCE")];
                let flags: Vec<&str> = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag).collect();
                self.line(depth, &format!("barrier({});", flags.join(" | ")));
            }
        }
    }

    fn place(&self, place: &Place) -> String {
        let (name, index) = (self.program.name(place.array), value(&place.index));
        let space = if self.program.arrays[place.array].is_local { "__local" } else { "__global" };
        match place.bytes {
            4 => format!("{name}[{index}]"),
            bytes => {
                let ty = if bytes == 1 { "uchar" } else { "ushort" };
                format!("(({space} {ty} *)&{name}[{index}])[{}]", place.byte / bytes)
            }
        }
    }

    fn atomic(&self, operation: AtomicOperation, place: &Place, operand: &Value) -> String {
        let (place, operand) = (self.place(place), value(operand));
        match operation {
            AtomicOperation::Add => format!("atomic_add(&{place}, {operand})"),
            AtomicOperation::Or => format!("atomic_or(&{place}, {operand})"),
            AtomicOperation::Maximum => format!("atomic_max(&{place}, {operand})"),
            AtomicOperation::Exchange => format!("atomic_xchg(&{place}, {operand})"),
            AtomicOperation::CompareExchange => format!("atomic_cmpxchg(&{place}, 0u, {operand})"),
        }
    }
}

/// Where a loop begins, while what it goes on, and what comes next.
fn loop_words(number: usize, form: &Form) -> (String, String, String) {
    match form {
        Form::Up { from, step, bound } => (
            format!("{from}u"),
            format!("i{number} < ({} & {BOUND_MASK}u)", value(bound)),
            format!("i{number} += {step}u"),
        ),
        Form::Halving { from } => (format!("{from}u"), format!("i{number} > 0u"), format!("i{number} >>= 1")),
        Form::Doubling { to } => ("1u".to_owned(), format!("i{number} < {to}u"), format!("i{number} <<= 1")),
    }
}

fn value(of: &Value) -> String {
    match of {
        Value::Constant(number) => format!("{number}u"),
        Value::Variable(number) => format!("v{number}"),
        Value::Counter(number) => format!("i{number}"),
        Value::LocalId(dimension) => format!("(uint)get_local_id({dimension})"),
        Value::GroupId(dimension) => format!("(uint)get_group_id({dimension})"),
        Value::GlobalId(dimension) => format!("(uint)get_global_id({dimension})"),
        Value::Parameter => format!("(n & {PARAMETER_MASK}u)"),
        Value::Binary(operator, a, b) => {
            let sign = match operator {
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::And => "&",
                Operator::Or => "|",
                Operator::Xor => "^",
                Operator::ShiftLeft => "<<",
                Operator::ShiftRight => ">>",
                Operator::Divide => "/",
                Operator::Remainder => "%",
            };
            format!("({} {sign} {})", value(a), value(b))
        }
        Value::Select(of, a, b) => format!("({} ? {} : {})", condition(of), value(a), value(b)),
    }
}

fn condition(of: &Condition) -> String {
    match of {
        Condition::Compare(relation, a, b) => {
            let (a, b) = (value(a), value(b));
            match relation {
                Relation::Equal => format!("{a} == {b}"),
                Relation::NotEqual => format!("{a} != {b}"),
                Relation::Less => format!("{a} < {b}"),
                Relation::LessEqual => format!("{a} <= {b}"),
                Relation::SignedLess => format!("(int){a} < (int){b}"),
            }
        }
        Condition::And(a, b) => format!("({} && {})", condition(a), condition(b)),
        Condition::Or(a, b) => format!("({} || {})", condition(a), condition(b)),
    }
}
