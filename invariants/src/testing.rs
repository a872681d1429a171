//! Tiny programs for the tests, and a concrete execution that shows which candidates it falsifies.

use cranelift_entity::EntityRef;
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    AccessKind, Array, ArrayData, Carried, Copies, Expression, Expressions, Loop, LoopData, Node, Pair, Program,
    Recorded, Role, Site, SiteData, Sort, Statement, Value, Variable, evaluate,
};
use rustc_hash::FxHashMap;

use crate::Candidate;

/// A program that does nothing.
pub fn empty_program() -> Program {
    Program::empty("test", Pair::SameGroup)
}

/// Builds tiny programs.
pub struct Builder<'a> {
    pub program: &'a mut Program,
}

impl<'a> Builder<'a> {
    pub fn new(program: &'a mut Program) -> Self {
        Self { program }
    }

    /// A loop that is not placed yet, uniformly active.
    pub fn add_loop(&mut self) -> Loop {
        let loop_ = Loop::new(self.program.loops.len());
        let expressions = &mut self.program.expressions;
        let counter = expressions.add_variable("k", Sort::Bits(64), None, Role::Counter(loop_));
        let active = expressions.add_variable("active", Sort::Boolean, None, Role::Predicate);
        let guard = expressions.variable(active);
        self.program.loops.push(LoopData {
            counter,
            guard,
            active: Copies::Uniform(active),
            body: Vec::new(),
            parent: None,
            invariants: Vec::new(),
            carried: Vec::new(),
            has_barrier: false,
            location: None,
        })
    }

    /// A loop that is not placed yet, with a predicate for each thread.
    pub fn add_divergent_loop(&mut self) -> Loop {
        let loop_ = self.add_loop();
        let expressions = &mut self.program.expressions;
        let active = [0, 1].map(|thread| {
            expressions.add_variable(&format!("p${}", thread + 1), Sort::Boolean, Some(thread), Role::Predicate)
        });
        let parts = active.map(|variable| expressions.variable(variable));
        let guard = expressions.or(parts);
        self.program.loops[loop_].active = Copies::Each(active);
        self.program.loops[loop_].guard = guard;
        loop_
    }

    /// Puts the loop at the end of its parent, or of the program.
    pub fn place(&mut self, loop_: Loop, parent: Option<Loop>) {
        self.program.loops[loop_].parent = parent;
        match parent {
            Some(parent) => self.program.loops[parent].body.push(Statement::Loop(loop_)),
            None => self.program.body.push(Statement::Loop(loop_)),
        }
    }

    /// An assignment at the end of a loop's body, or of the program.
    pub fn assign(&mut self, place: Option<Loop>, variable: Variable, value: Expression) {
        let statement = Statement::Assign { variable, value, location: None };
        match place {
            Some(loop_) => self.program.loops[loop_].body.push(statement),
            None => self.program.body.push(statement),
        }
    }

    pub fn input(&mut self, name: &str, sort: Sort) -> Expression {
        let variable = self.program.expressions.add_variable(name, sort, None, Role::Input);
        self.program.expressions.variable(variable)
    }

    pub fn value(&mut self, name: &str, sort: Sort) -> (Variable, Expression) {
        let thread = if name.ends_with("$1") {
            Some(0)
        } else if name.ends_with("$2") {
            Some(1)
        } else {
            None
        };
        let variable = self.program.expressions.add_variable(name, sort, thread, Role::Value);
        (variable, self.program.expressions.variable(variable))
    }

    pub fn carry(&mut self, loop_: Loop, variable: Variable, initial: Expression, next: Expression) {
        self.program.loops[loop_].carried.push(Carried {
            name: None,
            variable: Copies::Uniform(variable),
            initial: Copies::Uniform(initial),
            next: Copies::Uniform(next),
        });
    }

    pub fn carry_each(
        &mut self,
        loop_: Loop,
        variable: [Variable; 2],
        initial: [Expression; 2],
        next: [Expression; 2],
    ) {
        self.program.loops[loop_].carried.push(Carried {
            name: None,
            variable: Copies::Each(variable),
            initial: Copies::Each(initial),
            next: Copies::Each(next),
        });
    }

    /// A site in these loops with these recorded originals.
    pub fn add_site(&mut self, loops: Vec<Loop>, originals: &[Variable]) -> Site {
        if self.program.arrays.is_empty() {
            let watched = self.program.expressions.add_variable("watched", Sort::Bits(32), None, Role::Watched);
            self.program.arrays.push(ArrayData {
                name: "A".into(),
                group_shared: false,
                cell_bytes: 4,
                watched,
                digits: Vec::new(),
                element: None,
                image: None,
            });
        }
        let site = Site::new(self.program.sites.len());
        let expressions = &mut self.program.expressions;
        let hit = expressions.add_variable("hit", Sort::Boolean, Some(0), Role::Hit(site));
        let recorded = originals
            .iter()
            .map(|&original| {
                let sort = expressions.variables()[original].sort;
                Recorded { original, recorded: expressions.add_variable("rec", sort, Some(0), Role::Recorded(site)) }
            })
            .collect();
        let truth = expressions.boolean(true);
        self.program.sites.push(SiteData {
            volatile: false,
            array: Array::new(0),
            kind: AccessKind::Write,
            location: None,
            loops,
            hit,
            written: None,
            recorded,
            facts: Vec::new(),
            offset: Copies::Uniform(truth),
            active: Copies::Uniform(truth),
        })
    }

    /// Records an access: when `condition` holds, the hit is set and the originals are recorded.
    pub fn record(&mut self, place: Option<Loop>, site: Site, condition: Expression) {
        let data = self.program.sites[site].clone();
        for recorded in &data.recorded {
            let expressions = &mut self.program.expressions;
            let original = expressions.variable(recorded.original);
            let old = expressions.variable(recorded.recorded);
            let value = expressions.if_then_else(condition, original, old);
            self.assign(place, recorded.recorded, value);
        }
        let old = self.program.expressions.variable(data.hit);
        let hit = self.program.expressions.or([condition, old]);
        self.assign(place, data.hit, hit);
    }
}

type Environment = FxHashMap<Variable, Value>;

/// The value of an expression without functions.
fn value(expressions: &Expressions, environment: &Environment, expression: Expression) -> Value {
    let variable = |variable: Variable| {
        // An unassigned variable is arbitrary; a number that never fits by chance reveals mistakes.
        environment.get(&variable).cloned().unwrap_or_else(|| match expressions.variables()[variable].sort {
            Sort::Bits(width) => Value::Bits(Bits::new(width, 0x5A5A_A5A7_u64)),
            sort => Value::zero(sort),
        })
    };
    evaluate(expressions, expression, &variable, &|_, _| unreachable!("the tests have no functions"))
}

struct Execution<'a> {
    program: &'a Program,
    candidates: &'a [Candidate],
    environment: Environment,
    falsified: Vec<bool>,
    fuel: u32,
}

/// Executes the program, each loop for about 200 iterations at most. Returns for each candidate
/// whether some evaluation of a guard falsified it.
pub fn falsified(program: &Program, candidates: &[Candidate], inputs: &[(Expression, u64)]) -> Vec<bool> {
    let mut environment = Environment::default();
    for &(input, value) in inputs {
        let Node::Variable(variable) = program.expressions.node(input) else { panic!("inputs are variables") };
        let value = match program.expressions.sort(input) {
            Sort::Bits(width) => Value::Bits(Bits::new(width, value)),
            _ => Value::Boolean(value != 0),
        };
        environment.insert(*variable, value);
    }
    let falsified = vec![false; candidates.len()];
    let mut execution = Execution { program, candidates, environment, falsified, fuel: 200 };
    execution.run(&program.body);
    execution.falsified
}

impl Execution<'_> {
    fn value(&self, expression: Expression) -> Value {
        value(&self.program.expressions, &self.environment, expression)
    }

    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, .. } => {
                    let value = self.value(*value);
                    self.environment.insert(*variable, value);
                }
                Statement::Havoc { variable, .. } => {
                    self.environment.remove(variable);
                }
                Statement::Assume { .. } | Statement::Assert { .. } => {}
                Statement::Loop(loop_) => self.run_loop(*loop_),
            }
        }
    }

    fn run_loop(&mut self, loop_: Loop) {
        let data = &self.program.loops[loop_];
        let mut iterations = 0u64;
        loop {
            self.environment.insert(data.counter, Value::Bits(Bits::new(64, iterations)));
            for (index, candidate) in self.candidates.iter().enumerate().filter(|(_, one)| one.loop_ == loop_) {
                self.falsified[index] |= !self.value(candidate.condition).boolean();
            }
            if !self.value(data.guard).boolean() || self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            self.run(&data.body);
            iterations += 1;
        }
    }
}
