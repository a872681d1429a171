//! The lock-step transformation: each file of `tests/lockstep/` tests one of its effects.
//!
//! A file has a header, a kernel in the kernel IR's text, and the expectations of its sequential
//! program:
//!
//! ```text
//! The subject of the file, in any number of lines.
//! launch: 4 threads, 2 groups
//! pair: different-groups            (unless it is same-group)
//! options: no-benign-tolerance      (if any)
//! --- kernel
//! kernel "name" opencl pointers 64
//! …
//! --- expect
//! fails race write-read out
//! uniform i
//! ```
//!
//! Expectations, one a line:
//!
//! * `holds`: no execution fails an assertion, and every site is hit in some execution.
//! * `fails OBLIGATION`: this one fails. All that fail are listed; `holds` and `fails` exclude each
//!   other.
//! * `undecided`: the prover cannot decide it so far.
//! * `uniform NAME…`, `each NAME…`: the variables of these names have one copy, or one for each
//!   thread. A name with both has a variable in a loop and another one that leaves it.
//! * `obligations NUMBER`: the number of assertions.
//! * `nothing`: there is nothing to check for such a pair. `refused WORDS`: the kernel is refused
//!   in these words.
//! * `assumes WORDS`: an assumption that contains these words is listed.
//!
//! An obligation is written `race write-read ARRAY` (thread 1's access, thread 2's),
//! `barrier-divergence`, and so on.
//!
//! The tests do not pin the program's text. They ask for two answers, which must agree: the program
//! is executed with small random values for all its arbitrary ones, and it is given to the prover.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::Group;
use crate::harness::{Failure, ensure};

use lockstep::launch::{Extent, Launch};
use lockstep::lockstep::{LockstepOptions, lower};
use lockstep::prove::{Outcome, ProveOptions, prove};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel;
use lockstep_ir::sequential::{
    self, AccessKind, Copies, Evaluator, Expression, Function, Obligation, ObligationKind, Pair, PrintOptions, Program,
    Role, Sort, Statement, Value, Variable, VerifiedProgram,
};

/// Executions per file.
///
/// They suffice for each obligation that can fail at these sizes to do so many times over.
const EXECUTIONS: u64 = 6_000;
/// The longest executions; longer ones are abandoned.
const MOST_ITERATIONS: usize = 40;

struct Case<'a> {
    launch: Launch,
    pair: Pair,
    options: LockstepOptions,
    kernel: &'a str,
    expectations: Vec<&'a str>,
}

fn check(_path: &Path, text: &str) -> Result<(), Failure> {
    let case = Case::read(text)?;
    let kernel = kernel::parse(case.kernel)?;
    let kernel = kernel::verify(kernel).map_err(|problems| format!("{problems:?}"))?;
    match lower(&kernel, &case.launch, case.pair, &case.options) {
        Ok(Some(program)) => check_program(&case, &program),
        Ok(None) => ensure(case.expectations == ["nothing"], || "there is nothing to check".to_owned()),
        Err(refusal) => {
            let refused: Vec<&str> =
                case.expectations.iter().filter_map(|line| line.strip_prefix("refused ")).collect();
            ensure(refused.len() == 1 && refusal.to_string().contains(refused[0]), || refusal.to_string())
        }
    }
}

fn check_program(case: &Case, program: &VerifiedProgram) -> Result<(), Failure> {
    let expected: BTreeSet<String> =
        case.expectations.iter().filter_map(|line| line.strip_prefix("fails ")).map(str::to_owned).collect();
    let holds = case.expectations.contains(&"holds");
    ensure(holds == expected.is_empty(), || "either `holds` or what fails is expected".to_owned())?;
    for expectation in &case.expectations {
        check_shape(case, expectation, program)?;
    }
    let executed = Executed::of(program);
    ensure(executed.finished > 100, || format!("only {} executions come to the end", executed.finished))?;
    ensure(executed.failed == expected, || format!("executed, these fail: {:?}", executed.failed))?;
    ensure(!holds || executed.not_hit.is_empty(), || format!("never hit: {:?}", executed.not_hit))?;
    let undecided = case.expectations.contains(&"undecided");
    match prove(program, &ProveOptions::default()).outcome {
        Outcome::Proved | Outcome::Refuted(_) if undecided => Err("the prover decides by now".into()),
        Outcome::Proved => ensure(holds, || "the prover finds nothing wrong".to_owned()),
        Outcome::Refuted(found) => {
            let found: BTreeSet<String> =
                found.iter().map(|defect| describe_obligation(program, defect.obligation)).collect();
            ensure(found.is_subset(&expected), || format!("the prover refutes {found:?}"))
        }
        other => ensure(undecided, || format!("the prover does not decide: {other:?}")),
    }
}

fn check_shape(case: &Case, expectation: &str, program: &Program) -> Result<(), Failure> {
    let (word, rest) = expectation.split_once(' ').unwrap_or((expectation, ""));
    match word {
        "holds" | "fails" | "undecided" => Ok(()),
        "uniform" | "each" => rest.split(' ').try_for_each(|name| check_copies(case, program, name)),
        "obligations" => {
            let number = program.obligations.len();
            ensure(rest == number.to_string(), || format!("there are {number} obligations"))
        }
        "assumes" => {
            let text = sequential::print(program, &PrintOptions::default());
            let mut listed = text.lines().filter_map(|line| line.strip_prefix("assumption "));
            ensure(listed.any(|assumption| assumption.starts_with(rest)), || {
                format!("assumed is {:?}", program.assumptions)
            })
        }
        _ => Err(format!("what is `{expectation}`?").into()),
    }
}

/// Checks that the copies of the variables with this name before `$` are exactly those that the
/// file lists.
fn check_copies(case: &Case, program: &Program, name: &str) -> Result<(), Failure> {
    let expected = |word: &str| {
        let mut lines = case.expectations.iter().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
        lines.any(|names| names.split(' ').any(|known| known == name))
    };
    let variables = program.expressions.variables().values();
    let copies: BTreeSet<Option<usize>> =
        variables.filter(|data| data.name.split('$').next() == Some(name)).map(|data| data.thread).collect();
    let found = (copies.contains(&None), copies.contains(&Some(0)) && copies.contains(&Some(1)));
    ensure(found == (expected("uniform"), expected("each")), || format!("`{name}` has the copies {copies:?}"))
}

// --- Execution -----------------------------------------------------------------------------------

/// The results of many executions.
#[derive(Default)]
struct Executed {
    finished: usize,
    failed: BTreeSet<String>,
    not_hit: BTreeSet<String>,
}

impl Executed {
    fn of(program: &Program) -> Self {
        let mut result = Self::default();
        result.not_hit.extend(program.sites.values().map(|site| variable_name(program, site.hit)));
        for seed in 0..EXECUTIONS {
            let mut execution = Execution::new(program, seed);
            if !execution.admissible() {
                continue;
            }
            match execution.statements(&program.body) {
                Ok(()) => result.finished += 1,
                Err(Stop::Failed(obligation)) => {
                    result.failed.insert(describe_obligation(program, obligation));
                }
                Err(Stop::Excluded) => {}
            }
            for hit in execution.hits {
                result.not_hit.remove(&variable_name(program, hit));
            }
        }
        result
    }
}

/// The indices of the conditions at heads of loops that some execution does not keep.
pub fn broken_claims(program: &Program, claims: &[(sequential::Loop, Expression)]) -> BTreeSet<usize> {
    let mut broken = BTreeSet::new();
    for seed in 0..EXECUTIONS / 30 {
        let mut execution = Execution { claims, ..Execution::new(program, seed) };
        if execution.admissible() {
            let _ = execution.statements(&program.body);
            broken.extend(execution.broken);
        }
    }
    broken
}

/// The reason why an execution ends early.
enum Stop {
    Failed(Obligation),
    /// An assumption excludes it, or it is too long.
    Excluded,
}

struct Execution<'a> {
    program: &'a Program,
    values: HashMap<Variable, Value>,
    random: u64,
    /// A seed on which the results of functions depend, besides their arguments.
    functions: u64,
    hits: BTreeSet<Variable>,
    /// Conditions at the heads of loops.
    claims: &'a [(sequential::Loop, Expression)],
    /// The indices of claims that did not hold at some time.
    broken: BTreeSet<usize>,
}

impl<'a> Execution<'a> {
    fn new(program: &'a Program, seed: u64) -> Self {
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x0123_4567_89AB_CDEF;
        let (values, hits, broken) = (HashMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut this = Self { program, values, random, functions: seed % 1_000, hits, claims: &[], broken };
        for (variable, data) in program.expressions.variables() {
            let value = this.any(data.sort);
            this.values.insert(variable, value);
        }
        this.choose_ids();
        this
    }

    /// Chooses inputs that appear in preconditions again until these hold.
    fn choose_ids(&mut self) {
        for _ in 0..200 {
            if self.admissible() {
                return;
            }
            for (variable, data) in self.program.expressions.variables() {
                if matches!(data.role, Role::Input) {
                    let value = self.any(data.sort);
                    self.values.insert(variable, value);
                }
            }
        }
    }

    fn admissible(&self) -> bool {
        let mut conditions = self.program.preconditions.iter();
        conditions.all(|precondition| self.value(precondition.condition).boolean())
    }

    fn next(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) % below
    }

    /// Draws small numbers, so that the interesting ones come up.
    fn any(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Boolean => Value::Boolean(self.next(2) == 1),
            Sort::Bits(width) => {
                let low = if self.next(4) == 0 { self.next(17) } else { self.next(5) };
                // Coordinates of images are packed into a number.
                let high = if width == 64 && self.next(8) == 0 { self.next(4) } else { 0 };
                Value::Bits(Bits::new(width, low + (high << 32)))
            }
            Sort::Map { index, element } => {
                let cells = (0..8u64).map(|at| (Bits::new(index, at), Bits::new(element, self.next(3)))).collect();
                Value::Map(cells, Bits::zero(element))
            }
        }
    }

    fn value(&self, expression: Expression) -> Value {
        let variables = |variable: Variable| self.values[&variable].clone();
        // An arbitrary function: the same result for the same arguments in one execution.
        let functions = |function: Function, arguments: &[Value]| {
            let mut sum = self.functions + u64::from(function.as_u32());
            for argument in arguments {
                let number = match argument {
                    Value::Boolean(value) => u64::from(*value),
                    Value::Bits(bits) => bits.to_u64().unwrap_or(7),
                    Value::Map(..) => 0,
                };
                sum = sum.wrapping_mul(31).wrapping_add(number);
            }
            match self.program.expressions.functions()[function].result {
                Sort::Boolean => Value::Boolean(sum % 2 == 1),
                Sort::Bits(width) => Value::Bits(Bits::new(width, sum % 5)),
                sort @ Sort::Map { .. } => Value::zero(sort),
            }
        };
        Evaluator::new(&self.program.expressions, &variables, &functions).evaluate(expression)
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, .. } => {
                    let value = self.value(*value);
                    if let (Role::Hit(_), Value::Boolean(true)) = (self.role(*variable), &value) {
                        self.hits.insert(*variable);
                    }
                    self.values.insert(*variable, value);
                }
                Statement::Havoc { variable, .. } => {
                    let value = self.any(self.program.expressions.variables()[*variable].sort);
                    self.values.insert(*variable, value);
                }
                Statement::Assume { condition, .. } => {
                    if !self.value(*condition).boolean() {
                        return Err(Stop::Excluded);
                    }
                }
                Statement::Assert { condition, obligation, .. } => {
                    if !self.value(*condition).boolean() {
                        return Err(Stop::Failed(*obligation));
                    }
                }
                Statement::Loop(loop_) => self.looop(*loop_)?,
            }
        }
        Ok(())
    }

    fn looop(&mut self, loop_: sequential::Loop) -> Result<(), Stop> {
        let data = &self.program.loops[loop_];
        for iteration in 0..MOST_ITERATIONS {
            self.values.insert(data.counter, Value::Bits(Bits::new(64, iteration)));
            for (index, &(_, claim)) in self.claims.iter().enumerate().filter(|(_, (of, _))| *of == loop_) {
                if !self.value(claim).boolean() {
                    self.broken.insert(index);
                }
            }
            if !self.value(data.guard).boolean() {
                return Ok(());
            }
            self.statements(&data.body)?;
        }
        Err(Stop::Excluded)
    }

    fn role(&self, variable: Variable) -> Role {
        self.program.expressions.variables()[variable].role
    }
}

// --- Words ---------------------------------------------------------------------------------------

fn variable_name(program: &Program, variable: Variable) -> String {
    program.expressions.variables()[variable].name.clone()
}

fn describe_obligation(program: &Program, obligation: Obligation) -> String {
    match &program.obligations[obligation].kind {
        ObligationKind::Race { logged, checked } => {
            let word = |kind: AccessKind| match kind {
                AccessKind::Read => "read",
                AccessKind::Write => "write",
                AccessKind::Atomic => "atomic",
                AccessKind::AsyncRead => "async read",
                AccessKind::AsyncWrite => "async write",
            };
            let (logged, checked) = (&program.sites[*logged], &program.sites[*checked]);
            let array = &program.arrays[logged.array].name;
            format!("race {}-{} {array}", word(logged.kind), word(checked.kind))
        }
        ObligationKind::BarrierDivergence { active } => {
            assert!(matches!(active, Copies::Each(_)), "a barrier that both reach is no obligation");
            "barrier-divergence".to_owned()
        }
        ObligationKind::GroupOperationDivergence => "group-operation-divergence".to_owned(),
        ObligationKind::WarpDivergence { .. } => "warp-divergence".to_owned(),
        ObligationKind::Claim { claim, .. } => claim.word().to_owned(),
        ObligationKind::Digits { array } => format!("digits {array}"),
        ObligationKind::OutOfBounds { array, .. } => format!("out-of-bounds {array}"),
        ObligationKind::NamedBarrier(rule) => format!("named-barrier {}", rule.word()),
        ObligationKind::Signal(rule) => format!("signal {}", rule.word()),
        ObligationKind::InvariantEntry | ObligationKind::InvariantStep => "invariant".to_owned(),
    }
}

impl<'a> Case<'a> {
    fn read(text: &'a str) -> Result<Self, Failure> {
        let (header, rest) = text.split_once("--- kernel\n").ok_or("no line `--- kernel`")?;
        let (kernel, expect) = rest.split_once("--- expect\n").ok_or("no line `--- expect`")?;
        let mut case = Self {
            launch: Launch::default(),
            pair: Pair::SameGroup,
            options: LockstepOptions::default(),
            kernel,
            expectations: expect.lines().filter(|line| !line.is_empty()).collect(),
        };
        for line in header.lines() {
            if let Some(sizes) = line.strip_prefix("launch: ") {
                case.launch = read_launch(sizes)?;
            } else if let Some(pair) = line.strip_prefix("pair: ") {
                case.pair = match pair {
                    "same-group" => Pair::SameGroup,
                    "different-groups" => Pair::DifferentGroups,
                    "alone" => Pair::Alone,
                    other => return Err(format!("no pair: {other}").into()),
                };
            } else if let Some(options) = line.strip_prefix("options: ") {
                options.split(' ').try_for_each(|option| set_option(&mut case.options, option))?;
            }
        }
        Ok(case)
    }
}

/// `4 threads, 2 groups`; the other dimensions are 1.
pub fn read_launch(text: &str) -> Result<Launch, Failure> {
    let number = |word: &str| text.split(", ").find_map(|part| part.strip_suffix(word)?.trim().parse::<u32>().ok());
    let (threads, groups) = (number("threads"), number("groups"));
    let (threads, groups) = (threads.ok_or("threads?")?, groups.ok_or("groups?")?);
    let dimensions = |size| [Extent::Known(size), Extent::Known(1), Extent::Known(1)];
    Ok(Launch { local_size: dimensions(threads), num_groups: dimensions(groups), ..Launch::default() })
}

fn set_option(options: &mut LockstepOptions, option: &str) -> Result<(), Failure> {
    match option {
        "no-benign-tolerance" => options.no_benign_tolerance = true,
        "adversarial" => options.adversarial = true,
        "exited-threads-arrive" => options.exited_threads_arrive = true,
        other => return Err(format!("no option: {other}").into()),
    }
    Ok(())
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![Group::new(check, "tests/lockstep", r"\.txt$")]
}
