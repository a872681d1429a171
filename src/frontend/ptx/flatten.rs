//! Makes one sequence of steps of a kernel and the functions that it calls.
//!
//! Names are looked up in their scopes: a register, a variable or a label belongs to the braces
//! around its declaration. A call is replaced by the body of its function, whose registers are new
//! ones each time. Parameters of calls become registers as well ([`super::slots`]). Recursion and
//! calls through pointers stay as refusals of their own steps.

use std::collections::HashMap;

use lockstep_ir::kernel::{Terminator, Type};

use super::declare::Variable;
use super::module::{Function, Module};
use super::read::{Instruction, Line, Operand, SourcePlace, Statement};
use super::types::PtxType;

/// The most steps of a kernel with all calls inlined.
const MOST_STEPS: usize = 250_000;

/// The most registers of a kernel with all calls inlined.
const MOST_REGISTERS: usize = 1 << 20;

/// The deepest nesting of calls.
const MOST_CALLS: usize = 64;

/// A label, by its index.
pub type Label = usize;

/// A guard: the predicate, and whether it is negated.
pub type Guard = Option<(Operand, bool)>;

/// A step of a kernel.
#[derive(Clone, Debug)]
pub enum Step {
    /// An instruction whose names have been looked up.
    Instruction(Instruction),
    /// A label.
    Label(Label),
    /// `bra`
    Jump(Guard, Label),
    /// `brx.idx`: to the label with this index.
    Table(Guard, Operand, Vec<Label>),
    /// `ret` of the kernel, `exit`, `trap`.
    End(Guard, Terminator),
    /// Copies an operand as it is: a parameter of a call is passed.
    Copy(Operand, Operand, PtxType),
    /// Reads a parameter of the kernel: its index, and the offset in bytes.
    Parameter(Operand, usize, u64, PtxType),
    /// Calls a function without a body: its name, the results, the arguments.
    Call(String, Vec<Operand>, Vec<Operand>),
    /// Refused, for this reason.
    Refused(String),
}

/// The place of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepPlace {
    /// The line in the file.
    pub line: u32,
    /// The place in the source, if it is known.
    pub source: Option<SourcePlace>,
    /// The place of the call that was inlined here.
    pub call: Option<usize>,
}

/// A variable or parameter.
#[derive(Clone, Debug)]
pub enum SymbolData {
    /// A variable in memory.
    Variable(Variable),
    /// The kernel's parameter with this index.
    Parameter(usize),
    /// A parameter of a call.
    Passed(Variable),
}

/// A kernel as a sequence of steps.
#[derive(Debug, Default)]
pub struct Flat {
    /// The steps, each with its place.
    pub steps: Vec<(Step, usize)>,
    /// The number of labels.
    pub labels: usize,
    /// The types of the registers.
    pub registers: Vec<Type>,
    /// The variables.
    pub symbols: Vec<SymbolData>,
    /// The places of steps.
    pub places: Vec<StepPlace>,
}

/// A declared name.
#[derive(Clone, Copy, Debug)]
enum Named {
    Register(usize),
    /// Registers `name0`, `name1`, …: the first, and their number.
    Registers(usize, u32),
    Symbol(usize),
}

/// Makes the steps of a kernel.
pub fn flatten(module: &Module, kernel: &Function) -> Flat {
    // The first register is the machine's carry.
    let flat = Flat { registers: vec![Type::Bool], ..Flat::default() };
    let mut flattener =
        Flattener { module, flat, globals: HashMap::new(), shared: HashMap::new(), calls: Vec::new(), cut_off: None };
    let mut names = HashMap::new();
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        let symbol = flattener.symbol(SymbolData::Parameter(index));
        names.insert(parameter.name.clone(), Named::Symbol(symbol));
    }
    let place = flattener.place(StepPlace { line: kernel.line, source: None, call: None });
    flattener.function(kernel, names, None, place);
    // The rest is missing, so no path through the kernel is known: the first step refuses it.
    if let Some(cut_off) = flattener.cut_off.take() {
        flattener.flat.steps.insert(0, cut_off);
    }
    flattener.flat
}

struct Flattener<'m> {
    module: &'m Module,
    flat: Flat,
    /// The symbols of variables at file scope.
    globals: HashMap<&'m str, usize>,
    /// The symbols of shared variables in functions, which all calls share, by line and name.
    shared: HashMap<(u32, String), usize>,
    /// The functions being inlined.
    calls: Vec<&'m str>,
    /// The refusal of a kernel that is longer than [`MOST_STEPS`].
    cut_off: Option<(Step, usize)>,
}

/// The scopes of a function's body.
#[derive(Default)]
struct Scopes {
    /// The label with a name in a scope.
    labels: HashMap<(usize, String), Label>,
    /// The labels of a table with a name in a scope.
    targets: HashMap<(usize, String), Vec<String>>,
    /// The declared names of the scopes around, with the scope's number.
    open: Vec<(usize, HashMap<String, Named>)>,
}

impl Scopes {
    fn label(&self, name: &str) -> Option<Label> {
        self.open.iter().rev().find_map(|(scope, _)| self.labels.get(&(*scope, name.to_owned()))).copied()
    }

    fn targets(&self, name: &str) -> Option<&Vec<String>> {
        self.open.iter().rev().find_map(|(scope, _)| self.targets.get(&(*scope, name.to_owned())))
    }

    fn named(&self, name: &str) -> Option<Named> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = name[prefix.len()..].parse::<u32>().ok();
        // `%r01` is not `%r1`.
        let index = index.filter(|index| name.len() - prefix.len() == index.to_string().len());
        self.open.iter().rev().find_map(|(_, names)| match names.get(name) {
            Some(found @ (Named::Register(_) | Named::Symbol(_))) => Some(*found),
            Some(Named::Registers(..)) | None => match (names.get(prefix), index) {
                (Some(Named::Registers(first, count)), Some(index)) if index < *count => {
                    Some(Named::Register(first + index as usize))
                }
                _ => None,
            },
        })
    }

    fn declare(&mut self, name: String, named: Named) {
        if let Some((_, names)) = self.open.last_mut() {
            names.insert(name, named);
        }
    }
}

impl<'m> Flattener<'m> {
    fn symbol(&mut self, data: SymbolData) -> usize {
        self.flat.symbols.push(data);
        self.flat.symbols.len() - 1
    }

    fn place(&mut self, place: StepPlace) -> usize {
        if self.flat.places.last() != Some(&place) {
            self.flat.places.push(place);
        }
        self.flat.places.len() - 1
    }

    fn push(&mut self, step: Step, place: usize) {
        self.flat.steps.push((step, place));
    }

    fn new_label(&mut self) -> Label {
        self.flat.labels += 1;
        self.flat.labels - 1
    }

    /// Registers of a type; the first one. `None` if there are too many.
    fn registers(&mut self, ty: &str, count: u32) -> Option<usize> {
        let ty = match PtxType::parse(ty)? {
            PtxType { width: 1, .. } => Type::Bool,
            PtxType { width, .. } => Type::Bits(width),
        };
        let first = self.flat.registers.len();
        let end = first.checked_add(count as usize).filter(|end| *end <= MOST_REGISTERS)?;
        self.flat.registers.resize(end, ty);
        Some(first)
    }

    /// Appends the body of a function. `after` is the label to which its returns lead; without one,
    /// they end the thread.
    fn function(&mut self, function: &'m Function, names: HashMap<String, Named>, after: Option<Label>, call: usize) {
        let Some(body) = &function.body else { return };
        self.calls.push(&function.name);
        let mut scopes = self.scan(body);
        scopes.open.push((0, names));
        let (mut next_scope, mut source) = (1, None);
        let inlined = after.is_some().then_some(call);
        for (statement, line) in body {
            let place = self.place(StepPlace { line: *line, source, call: inlined });
            match statement {
                Statement::Open => {
                    scopes.open.push((next_scope, HashMap::new()));
                    next_scope += 1;
                }
                Statement::Close => {
                    scopes.open.pop();
                }
                Statement::Place(at) => source = Some(*at),
                Statement::Register { ty, name, count } => self.declare_register(&mut scopes, ty, name, *count, place),
                Statement::Variable(variable) => {
                    let symbol = self.declare_variable(variable);
                    scopes.declare(variable.name.clone(), Named::Symbol(symbol));
                }
                Statement::Label(name) => {
                    if let Some(label) = scopes.label(name) {
                        self.push(Step::Label(label), place);
                    }
                }
                Statement::Targets(..) => {}
                Statement::Unread(why) => self.push(Step::Refused(why.clone()), place),
                Statement::Wait(test) => self.push(Step::Refused(test.refused().0), place),
                Statement::Instruction(instruction) => self.instruction(&scopes, instruction, after, place),
            }
            if self.flat.steps.len() > MOST_STEPS {
                let name = &function.name;
                let why = format!("{name} in code that has more than {MOST_STEPS} instructions with all calls inlined");
                self.cut_off.get_or_insert((Step::Refused(why), place));
                break;
            }
        }
        if after.is_none() {
            let place = self.flat.places.len() - 1;
            self.push(Step::End(None, Terminator::Return), place);
        }
        self.calls.pop();
    }

    /// Finds the labels of a body.
    fn scan(&mut self, body: &[Line]) -> Scopes {
        let mut scopes = Scopes::default();
        let (mut open, mut next) = (vec![0], 1);
        for (statement, _) in body {
            let scope = open.last().copied().unwrap_or_default();
            match statement {
                Statement::Open => {
                    open.push(next);
                    next += 1;
                }
                Statement::Close => {
                    open.pop();
                }
                Statement::Label(name) => {
                    let label = self.new_label();
                    scopes.labels.insert((scope, name.clone()), label);
                }
                Statement::Targets(name, labels) => {
                    scopes.targets.insert((scope, name.clone()), labels.clone());
                }
                _ => {}
            }
        }
        scopes
    }

    fn declare_register(&mut self, scopes: &mut Scopes, ty: &str, name: &str, count: Option<u32>, place: usize) {
        match (self.registers(ty, count.unwrap_or(1)), count) {
            (Some(first), None) => scopes.declare(name.to_owned(), Named::Register(first)),
            (Some(first), Some(count)) => scopes.declare(name.to_owned(), Named::Registers(first, count)),
            (None, _) => self.push(Step::Refused(format!("PTX registers {name} of type {ty}")), place),
        }
    }

    fn declare_variable(&mut self, variable: &Variable) -> usize {
        match variable.space.as_str() {
            "param" => self.symbol(SymbolData::Passed(variable.clone())),
            "local" => self.symbol(SymbolData::Variable(variable.clone())),
            _ => {
                let key = (variable.line, variable.name.clone());
                if let Some(symbol) = self.shared.get(&key) {
                    return *symbol;
                }
                let symbol = self.symbol(SymbolData::Variable(variable.clone()));
                self.shared.insert(key, symbol);
                symbol
            }
        }
    }

    /// Looks up the names in an operand. Others stay: special registers, `_`.
    fn resolved(&mut self, scopes: &Scopes, operand: &Operand) -> Operand {
        let mut operand = operand.clone();
        operand.for_each_leaf_mut(&mut |leaf| {
            let Operand::Name(name) = &*leaf else { return };
            match scopes.named(name) {
                Some(Named::Register(index)) => *leaf = Operand::Register(index),
                Some(Named::Symbol(index)) => *leaf = Operand::Symbol(index),
                Some(Named::Registers(..)) => {}
                None => {
                    if let Some(symbol) = self.global(name) {
                        *leaf = Operand::Symbol(symbol);
                    }
                }
            }
        });
        operand
    }

    /// The symbol of a variable at file scope.
    fn global(&mut self, name: &str) -> Option<usize> {
        if let Some(symbol) = self.globals.get(name) {
            return Some(*symbol);
        }
        let named = || self.module.variables.iter().filter(|variable| variable.name == name);
        let variable = named().find(|variable| !variable.is_extern).or_else(|| named().next())?;
        let symbol = self.symbol(SymbolData::Variable(variable.clone()));
        self.globals.insert(&variable.name, symbol);
        Some(symbol)
    }

    fn instruction(&mut self, scopes: &Scopes, instruction: &Instruction, after: Option<Label>, place: usize) {
        let guard = instruction.guard.as_ref().map(|(guard, negated)| (self.resolved(scopes, guard), *negated));
        let (name, _) = instruction.words();
        match name {
            "bra" => {
                let label = match instruction.operands.as_slice() {
                    [Operand::Name(label)] => scopes.label(label),
                    _ => None,
                };
                let step = label.map_or_else(|| refused(instruction), |label| Step::Jump(guard, label));
                self.push(step, place);
            }
            "brx" => {
                let step = self.table(scopes, instruction, guard);
                self.push(step.unwrap_or_else(|| refused(instruction)), place);
            }
            "ret" => match after {
                Some(after) => self.push(Step::Jump(guard, after), place),
                None => self.push(Step::End(guard, Terminator::Return), place),
            },
            "exit" => self.push(Step::End(guard, Terminator::Return), place),
            "trap" => self.push(Step::End(guard, Terminator::Trap), place),
            "call" => self.call(scopes, instruction, guard, place),
            _ => {
                let operands = instruction.operands.iter().map(|operand| self.resolved(scopes, operand)).collect();
                let opcode = instruction.opcode.clone();
                self.push(Step::Instruction(Instruction { guard, opcode, operands }), place);
            }
        }
    }

    fn table(&mut self, scopes: &Scopes, instruction: &Instruction, guard: Guard) -> Option<Step> {
        let [index, Operand::Name(table)] = instruction.operands.as_slice() else { return None };
        let labels = scopes.targets(table)?.iter().map(|label| scopes.label(label)).collect::<Option<Vec<_>>>()?;
        Some(Step::Table(guard, self.resolved(scopes, index), labels))
            .filter(|_| instruction.opcode.starts_with("brx.idx"))
    }

    /// A call: `call (results), function, (arguments)`. The lists may be missing.
    fn call(&mut self, scopes: &Scopes, instruction: &Instruction, guard: Guard, place: usize) {
        let mut operands = instruction.operands.iter().peekable();
        let mut group = |operands: &mut std::iter::Peekable<std::slice::Iter<'_, Operand>>| match operands.peek() {
            Some(Operand::Group(parts)) => {
                operands.next();
                parts.iter().map(|part| self.resolved(scopes, part)).collect()
            }
            _ => Vec::new(),
        };
        let results: Vec<Operand> = group(&mut operands);
        let target = operands.next();
        let arguments: Vec<Operand> = group(&mut operands);
        let Some(Operand::Name(name)) = target.filter(|_| operands.next().is_none()) else {
            return self.push(Step::Refused("call through a pointer".into()), place);
        };
        if scopes.named(name).is_some() {
            return self.push(Step::Refused("call through a pointer".into()), place);
        }
        let after = self.new_label();
        if let Some((condition, negated)) = guard {
            self.push(Step::Jump(Some((condition, !negated)), after), place);
        }
        let module = self.module;
        match module.function(name).filter(|function| function.body.is_some()) {
            None => self.push(Step::Call(name.clone(), results, arguments), place),
            Some(_) if self.calls.contains(&name.as_str()) => {
                self.push(Step::Refused(format!("recursive function {name}")), place);
            }
            Some(_) if self.calls.len() >= MOST_CALLS => {
                self.push(Step::Refused(format!("call of {name} within {MOST_CALLS} others")), place);
            }
            Some(function) => self.inline(function, [results, arguments], after, place),
        }
        self.push(Step::Label(after), place);
    }

    /// Appends the body of a called function. A parameter that is passed in memory is the caller's
    /// own variable; one in a register is copied.
    fn inline(&mut self, function: &'m Function, [results, arguments]: [Vec<Operand>; 2], after: Label, place: usize) {
        if results.len() != function.results.len() || arguments.len() != function.parameters.len() {
            let why = format!("call of {} with another number of parameters than it has", function.name);
            return self.push(Step::Refused(why), place);
        }
        let mut names = HashMap::new();
        let mut copies = Vec::new();
        let formals = function.results.iter().zip(&results).map(|pair| (pair, true));
        let formals = formals.chain(function.parameters.iter().zip(&arguments).map(|pair| (pair, false)));
        for ((formal, actual), is_result) in formals {
            if let (Operand::Symbol(symbol), "param") = (actual, formal.space.as_str()) {
                names.insert(formal.name.clone(), Named::Symbol(*symbol));
                continue;
            }
            let Some(ty) = PtxType::parse(&formal.ty).filter(|_| formal.dimensions.is_empty()) else {
                return self.push(Step::Refused(format!("call of {} with this argument", function.name)), place);
            };
            let own = if formal.space == "reg" {
                let Some(register) = self.registers(&formal.ty, 1) else {
                    return self.push(Step::Refused(format!("call of {} with this argument", function.name)), place);
                };
                names.insert(formal.name.clone(), Named::Register(register));
                Operand::Register(register)
            } else {
                // A constant or a register is passed for a parameter in memory.
                let symbol = self.symbol(SymbolData::Passed(formal.clone()));
                names.insert(formal.name.clone(), Named::Symbol(symbol));
                Operand::Symbol(symbol)
            };
            if is_result {
                copies.push(Step::Copy(actual.clone(), own, ty));
            } else {
                self.push(Step::Copy(own, actual.clone(), ty), place);
            }
        }
        let inner = self.new_label();
        self.function(function, names, Some(if copies.is_empty() { after } else { inner }), place);
        self.push(Step::Label(inner), place);
        for copy in copies {
            self.push(copy, place);
        }
    }
}

fn refused(instruction: &Instruction) -> Step {
    Step::Refused(instruction.refused().0)
}
