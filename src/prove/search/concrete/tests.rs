//! Tests the machine against the semantics of programs, and on small programs.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    self, BinaryOp, CompareOp, Evaluator, Expression, Expressions, Function, Obligation, Program, Sort, Statement,
    UnaryOp, Unknown, Variable, parse, random_program,
};
use rustc_hash::FxHashMap;

use super::compile::compile;
use super::inputs::arbitrary;
use super::machine::{End, Machine, Plan, apply};
use super::tape::at;
use super::value::{Rule, Value, mix};

/// Executes a program by its definition, with the evaluator of the sequential IR.
struct Reference<'a> {
    program: &'a Program,
    values: FxHashMap<Variable, sequential::Value>,
    plan: Plan,
    draws: u64,
    choices: u64,
    fuel: u32,
}

impl Reference<'_> {
    fn value(&self, expression: Expression) -> sequential::Value {
        let expressions = &self.program.expressions;
        let variables = |variable: Variable| self.values[&variable].clone();
        let functions = |function: Function, arguments: &[sequential::Value]| {
            let data = &expressions.functions()[function];
            let arguments: Vec<Value> = arguments.iter().map(concrete).collect();
            plain(data.result, &apply(function, &arguments.iter().collect::<Vec<_>>(), data.result))
        };
        Evaluator::new(expressions, &variables, &functions).evaluate(expression)
    }

    /// The reason why the execution ends before the statements do, if it does.
    fn run(&mut self, statements: &[Statement]) -> Option<Ended> {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, location: _ } => {
                    let value = self.value(*value);
                    self.values.insert(*variable, value);
                }
                Statement::Havoc { variable, unknown, location: _ } => self.havoc(*variable, unknown),
                Statement::Assume { condition, .. } => {
                    if !self.value(*condition).boolean() {
                        return Some(Ended::Excluded);
                    }
                }
                Statement::Assert { condition, obligation, location: _ } => {
                    if !self.value(*condition).boolean() {
                        return Some(Ended::Failed(*obligation));
                    }
                }
                Statement::Loop(loop_) => {
                    let data = &self.program.loops[*loop_];
                    for iterations in 0u64.. {
                        self.values.insert(data.counter, sequential::Value::Bits(Bits::new(64, iterations)));
                        if !self.value(data.guard).boolean() {
                            break;
                        }
                        self.fuel = match self.fuel.checked_sub(1) {
                            Some(fuel) => fuel,
                            None => return Some(Ended::Exhausted),
                        };
                        if let Some(ended) = self.run(&data.body) {
                            return Some(ended);
                        }
                    }
                }
            }
        }
        None
    }

    fn havoc(&mut self, variable: Variable, unknown: &Unknown) {
        let sort = self.program.expressions.variables()[variable].sort;
        let value = if *unknown == Unknown::Choice {
            self.choices += 1;
            Value::Word(u64::from(self.plan.hit == Some(self.choices)))
        } else {
            self.draws += 1;
            Value::arbitrary(sort, self.plan.rule, self.draws)
        };
        self.values.insert(variable, plain(sort, &value));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Ended {
    Regularly,
    Excluded,
    Failed(Obligation),
    Exhausted,
}

/// The machine's value as a value of the IR; maps must have few indices.
fn plain(sort: Sort, value: &Value) -> sequential::Value {
    match sort {
        Sort::Boolean => sequential::Value::Boolean(value.word() != 0),
        Sort::Bits(width) => sequential::Value::Bits(value.bits(width)),
        Sort::Map { index, element } => {
            let indices = (0..1u64 << index).map(|number| Bits::new(index, number));
            let entries: BTreeMap<Bits, Bits> =
                indices.map(|index| (index.clone(), value.select(&index).bits(element))).collect();
            sequential::Value::Map(entries, Bits::zero(element))
        }
    }
}

fn concrete(value: &sequential::Value) -> Value {
    match value {
        sequential::Value::Boolean(value) => Value::Word(u64::from(*value)),
        sequential::Value::Bits(bits) => Value::of(bits.clone()),
        sequential::Value::Map(..) => panic!("no function of the tests takes a map"),
    }
}

/// The program without some statements, so that not all executions end at the first assumption.
fn thinned(mut program: Program, seed: u64) -> Program {
    let keep = |number: usize, statement: &Statement| match statement {
        Statement::Assume { .. } | Statement::Assert { .. } => mix(seed, number as u64).is_multiple_of(3),
        Statement::Assign { .. } | Statement::Havoc { .. } | Statement::Loop(_) => true,
    };
    let thin = |statements: &mut Vec<Statement>| {
        let all = std::mem::take(statements);
        let kept = all.into_iter().enumerate().filter(|(number, statement)| keep(*number, statement));
        *statements = kept.map(|(_, statement)| statement).collect();
    };
    thin(&mut program.body);
    for data in program.loops.values_mut() {
        thin(&mut data.body);
    }
    program
}

/// A wrong value here would produce a false defect.
#[test]
fn executions_are_those_of_the_definition() {
    let mut compared: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..3_000 {
        let program = thinned(random_program(seed), seed);
        // Programs that compare maps are not compiled.
        let Some(code) = compile(&program, &[]) else { continue };
        let rule = Rule { seed: mix(9, seed), bits: [1, 3, 64][usize::try_from(seed % 3).unwrap()] };
        let plan = Plan { rule, hit: Some(seed % 4), fuel: 100_000, remember: true };
        let inputs = arbitrary(&program, Rule { seed: mix(8, seed), ..rule });
        let mut machine = Machine::new(&program, &code, &inputs, plan, 0);
        let end = machine.run();
        let variables = program.expressions.variables();
        let values = variables.iter().map(|(variable, data)| (variable, plain(data.sort, &inputs[at(variable)])));
        let mut reference =
            Reference { program: &program, values: values.collect(), plan, draws: 0, choices: 0, fuel: 2_000 };
        let expected = reference.run(&program.body).unwrap_or(Ended::Regularly);
        let found = match end {
            End::Reached => Ended::Regularly,
            End::Excluded => Ended::Excluded,
            End::Failed(obligation, _) => Ended::Failed(obligation),
            End::Exhausted => Ended::Exhausted,
        };
        let kind = match (expected, found) {
            // The two count steps differently.
            (Ended::Exhausted, _) | (_, Ended::Exhausted) => "exhausted",
            (Ended::Regularly, _) => "regular",
            (Ended::Excluded, _) => "excluded",
            (Ended::Failed(_), _) => "failed",
        };
        *compared.entry(kind).or_default() += 1;
        if kind == "exhausted" {
            continue;
        }
        assert_eq!(found, expected, "seed {seed}");
        for (variable, data) in variables {
            let value = plain(data.sort, &machine.value(variable));
            assert_eq!(value, reference.values[&variable], "seed {seed}: {}", data.name);
        }
    }
    assert!(compared["exhausted"] < compared.values().sum::<u32>() / 2, "{compared:?}");
    for kind in ["regular", "excluded", "failed"] {
        assert!(compared[kind] > 50, "{compared:?}");
    }
}

/// Vectors of more than 64 bits take a different path through the machine.
#[test]
fn wide_vectors_have_their_values() {
    for seed in 0..60 {
        let width = [64, 65, 100, 128][usize::try_from(seed % 4).unwrap()];
        let text = format!("program \"wide\" same-group; input a, b: bv{width}; input p: bool; body {{ }}");
        let mut program = program_of(&text);
        let code = compile(&program, &[]).expect("no maps");
        let values = (0u64..).zip(program.expressions.variables().iter()).map(|(number, (variable, data))| {
            let word = |part: u64| mix(mix(seed, number), part) >> (mix(seed, part) % 64);
            let value = match data.sort {
                Sort::Bits(width) => sequential::Value::Bits(
                    Bits::new(64, word(1)).concat(&Bits::new(64, word(2))).extract(width - 1, 0),
                ),
                _ => sequential::Value::Boolean(word(0) % 2 == 0),
            };
            (variable, value)
        });
        let values: FxHashMap<Variable, sequential::Value> = values.collect();
        let inputs: Vec<Value> =
            program.expressions.variables().keys().map(|variable| concrete(&values[&variable])).collect();
        let all = every_operation(&mut program.expressions, width);
        let plan = Plan { rule: Rule { seed, bits: 64 }, hit: None, fuel: 1_000, remember: false };
        let mut machine = Machine::new(&program, &code, &inputs, plan, 0);
        for expression in all {
            let variables = |variable: Variable| values[&variable].clone();
            let functions = |_, _: &[sequential::Value]| unreachable!("there are no functions");
            let expected = sequential::evaluate(&program.expressions, expression, &variables, &functions);
            let found = plain(program.expressions.sort(expression), &machine.evaluate(expression, &[]));
            assert_eq!(found, expected, "seed {seed}, width {width}: {:?}", program.expressions.node(expression));
        }
    }
}

/// Every operation on the variables `a`, `b` and `p`.
fn every_operation(expressions: &mut Expressions, width: u32) -> Vec<Expression> {
    let variables: Vec<Variable> = expressions.variables().keys().collect();
    let [a, b, p] = [0, 1, 2].map(|index| expressions.variable(variables[index]));
    let mut all: Vec<Expression> = BinaryOp::ALL.iter().map(|&op| expressions.binary(op, a, b)).collect();
    all.extend(CompareOp::ALL.iter().map(|&op| expressions.compare(op, a, b)));
    let three = Bits::new(width, 3u32);
    all.extend([
        expressions.sum(Bits::new(width, 77u32), vec![(three, a), (Bits::ones(width), b)]),
        expressions.unary(UnaryOp::Not, a),
        expressions.equal(a, b),
        expressions.if_then_else(p, a, b),
        expressions.zero_extend(width + 20, a),
        expressions.sign_extend(width + 20, a),
        expressions.extract(width - 1, 7, a),
        expressions.extract(40, 3, b),
        expressions.concat(a, b),
        expressions.not(p),
    ]);
    all
}

fn program_of(text: &str) -> Program {
    parse(text).expect("a program")
}

/// A program over an input `n` with the given statements, and the end of its execution for one `n`.
fn executed(body: &str, n: u64, fuel: u64) -> (Program, End, Vec<String>) {
    let text = format!(
        "program \"test\" same-group;
         input n: bv32;
         value i, sum, x, y: bv32;
         counter loop0 k: bv64;
         predicate active: bool;
         body {{ {body} }}
         obligation ob0 assertion both;
         obligation ob1 assertion both;"
    );
    let program = program_of(&text);
    let code = compile(&program, &[]).expect("no maps");
    let mut inputs = arbitrary(&program, Rule { seed: 3, bits: 64 });
    inputs[0] = Value::Word(n);
    // Arbitrary values are 0.
    let plan = Plan { rule: Rule { seed: 0, bits: 0 }, hit: None, fuel, remember: true };
    let mut machine = Machine::new(&program, &code, &inputs, plan, 0);
    let end = machine.run();
    let taint = if let End::Failed(_, taint) = end { taint } else { 0 };
    let members = machine.taints.members(taint).iter();
    let unknowns = members.map(|&member| format!("{:?}", code.havocs[usize::try_from(member).unwrap()].unknown));
    let unknowns = unknowns.collect();
    (program, end, unknowns)
}

/// `sum` becomes 0 + 1 + … + (n - 1).
const SUM: &str = "i = 0; sum = 0; active = 0 <u n;
    while loop0 (active) counter k active active {
      sum = sum + i; i = i + 1; active = i <u n;
    }";

#[test]
fn a_loop_runs_as_often_as_its_guard_says() {
    for (claim, ends) in [
        ("sum == 45 && i == 10 && k == 10", End::Reached),
        ("sum == 44", End::Failed(Obligation::from_u32(0), 0)),
        ("k == 9", End::Failed(Obligation::from_u32(0), 0)),
    ] {
        let (_, end, unknowns) = executed(&format!("{SUM} assert ob0: {claim};"), 10, 1_000);
        assert_eq!(end, ends, "{claim}");
        assert!(unknowns.is_empty());
    }
}

/// A vector and its zero-extension are one word, but results computed from them may differ.
#[test]
fn results_depend_on_the_width_of_words() {
    for (one, other) in [
        ("active = n[7:0] <s 0x70; assert ob0: active;", "active = zext32(n[7:0]) <s 0x70; assert ob1: !active;"),
        ("assert ob0: sext32(n[31:16]) == 0xffff8011;", "assert ob1: sext64(zext32(n[31:16])) == 0x8011;"),
        ("y = concat(zext16(n[7:0]), n[31:16]);", "x = concat(n[7:0], zext24(n[31:16])); assert ob1: x == 0xc0008011;"),
    ] {
        assert_eq!(executed(&[one, other].concat(), 0x8011_00c0, 1_000).1, End::Reached, "{one} {other}");
    }
}

#[test]
fn an_execution_ends_at_the_first_failure_or_assumption() {
    let both = "assert ob0: n != 5; assume n != 6 because \"\"; assert ob1: n != 5 && n != 6 && n != 7;";
    let failed = |number| End::Failed(Obligation::from_u32(number), 0);
    for (n, ends) in [(5, failed(0)), (6, End::Excluded), (7, failed(1)), (8, End::Reached)] {
        assert_eq!(executed(both, n, 1_000).1, ends, "n = {n}");
    }
}

#[test]
fn an_endless_loop_exhausts_the_fuel() {
    let endless =
        "active = true; i = 0; while loop0 (active) counter k active active { i = i + 1; } assert ob0: false;";
    assert_eq!(executed(endless, 0, 10_000).1, End::Exhausted);
}

#[test]
fn a_failure_remembers_what_it_depends_on() {
    let load = "havoc x: load \"A\"; havoc y: load \"B\";";
    let depends = |body: &str| executed(&format!("{load} {body}"), 1, 1_000).2;
    assert_eq!(depends("assert ob0: n != 1;"), Vec::<String>::new());
    assert_eq!(depends("assert ob0: x == 1;"), ["Load(\"A\")"]);
    assert_eq!(depends("assert ob0: x + y == 1;"), ["Load(\"A\")", "Load(\"B\")"]);
    // A false operand alone decides a conjunction; an operand without dependencies is preferred.
    assert_eq!(depends("assert ob0: y == 1 && n == 2;"), Vec::<String>::new());
    assert_eq!(depends("assert ob0: x == 0 && y == 1;"), ["Load(\"B\")"]);
    // The chosen value counts, and so does the condition.
    assert_eq!(depends("i = x == 0 ? 3 : y; assert ob0: i != 3;"), ["Load(\"A\")"]);
}

#[test]
fn values_changed_in_a_loop_depend_on_its_guard() {
    let looop = "havoc x: load \"A\"; i = 0; sum = 0; active = x <u 1;
        while loop0 (active) counter k active active { i = i + 1; active = false; }";
    let depends = |claim: &str| executed(&format!("{looop} assert ob0: {claim};"), 1, 1_000).2;
    assert_eq!(depends("i == 0"), ["Load(\"A\")"]);
    assert_eq!(depends("k == 0"), ["Load(\"A\")"]);
    assert_eq!(depends("sum == 1"), Vec::<String>::new());
}
