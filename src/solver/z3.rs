//! Sessions with Z3: the queries, the engines that answer them, their cost and their answers.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ::z3::ast::{Bool, Dynamic};
use ::z3::{Context, FuncDecl, Params, SatResult};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Expression, Expressions, Function};
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::{Technique, Techniques};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::applications::Applications;
use super::integers::Integers;
use super::watchdog;

/// The major version of the linked Z3.
pub fn major_version() -> u32 {
    let version = ::z3::full_version();
    let number = version.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let major = number.and_then(|number| number.split('.').next()?.parse().ok());
    major.unwrap_or(0)
}

/// The stack size, in bytes, of a thread that follows expressions recursively.
pub const STACK_BYTES: usize = 256 << 20;

/// Runs `work` with a Z3 context of its own, so that nothing done before can influence it.
///
/// Each thread gets its own context when it first needs one, so a new thread has a fresh one.
pub fn in_fresh_context<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let _used = MemoryUse::begin();
    on_large_stack(work)
}

/// Runs `work` on a thread with a stack of [`STACK_BYTES`], and ends that thread.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let worker = worker.unwrap_or_else(|cause| {
            panic!("the system refuses a thread with {} MiB of stack (ulimit -v?): {cause}", STACK_BYTES >> 20)
        });
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Makes Z3 crash, for tests of crash handling.
///
/// # Safety
/// There is none: Z3 dereferences a dangling pointer. The process must be one that is meant to
/// crash.
pub unsafe fn crash() {
    // SAFETY: the caller's obligation.
    let _ = unsafe { z3_sys::Z3_mk_true(NonNull::dangling()) };
}

/// The memory that Z3 may use in all threads together, in megabytes.
const MOST_MEGABYTES: u64 = 2048;

/// The number of contexts in use.
static CONTEXTS: Mutex<usize> = Mutex::new(0);

/// Counts a context as in use until it is dropped.
struct MemoryUse;

impl MemoryUse {
    /// Above its limit Z3 answers "unknown" instead of allocating more. Each thread adds to Z3's
    /// count in batches of 100 KB, and a thread that ends loses its last, incomplete batch, which
    /// consists of deallocations. So every context leaves some 70 KB behind in the count, and after
    /// 30,000 contexts a process seems to have used up the limit. The count while no context exists
    /// is therefore added to the limit.
    fn begin() -> Self {
        let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        if *contexts == 0 {
            // SAFETY: only reads a global counter.
            let forgotten = unsafe { z3_sys::Z3_get_estimated_alloc_size() } >> 20;
            ::z3::set_global_param("memory_high_watermark_mb", &(MOST_MEGABYTES + forgotten).to_string());
        }
        *contexts += 1;
        Self
    }
}

impl Drop for MemoryUse {
    fn drop(&mut self) {
        *CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

/// A guard for memory that is being prepared for contexts; dropping it waits for the end.
pub struct WarmUp(Vec<JoinHandle<()>>);

/// Prepares memory for the contexts of a kernel's two programs, while the process only waits for
/// Clang.
///
/// A new context consists of some 17 MB of tables. Without preparation, a small proof spends most
/// of its time on getting them from the system, once per context. Tables that are kept when they
/// are freed cost a tenth of that from the second time on.
pub fn warm_up() -> WarmUp {
    keep_freed_memory();
    let make_context = || drop(Context::thread_local());
    // Without these threads, everything is only slower.
    WarmUp((0..2).filter_map(|_| thread::Builder::new().spawn(make_context).ok()).collect())
}

impl Drop for WarmUp {
    fn drop(&mut self) {
        for thread in self.0.drain(..) {
            // A failure to make a context shows when one is needed.
            let _ = thread.join();
        }
    }
}

/// Makes the allocator keep freed memory instead of returning it to the system.
#[cfg(target_env = "gnu")]
fn keep_freed_memory() {
    const LARGEST_KEPT: libc::c_int = 32 << 20;
    const MOST_KEPT: libc::c_int = 1 << 30;
    // SAFETY: only sets parameters of the allocator, which does so under its own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_KEPT);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_KEPT);
    }
}

#[cfg(not(target_env = "gnu"))]
fn keep_freed_memory() {}

/// The result of a check.
#[derive(Debug)]
pub enum Checked {
    /// The facts contradict each other.
    Unsatisfiable,
    /// The facts hold together, for instance in this model.
    Satisfiable(Model),
    /// Time ran out, or Z3 gave up.
    Unknown,
}

/// The unit of Z3's own measure of work (its `rlimit`), which does not depend on the machine.
pub type Effort = u64;

/// The effort that stands for a time limit. Z3 can do more in that time, so the clock decides only
/// where the machine is slow or Z3 does work that it does not count.
pub fn effort_of(time: Duration) -> Effort {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(2_500)
}

/// The translation of one arena's expressions, and the effort that is left for all queries about
/// them.
pub struct Session {
    pub(super) terms: FxHashMap<Expression, Dynamic>,
    pub(super) functions: FxHashMap<Function, FuncDecl>,
    pub(super) applications: Applications,
    /// Whether maps are compared as wholes or passed to functions.
    pub(super) maps_as_wholes: bool,
    techniques: Techniques,
    deadline: Instant,
    allowance: Effort,
    spent: Effort,
    queries: usize,
}

/// A set of facts.
///
/// Z3 has two engines for bit-vectors. The general one is fast where a query has a model or needs
/// few facts, and otherwise gets lost. The tactics translate the query as a whole into a
/// propositional one, which takes time but rarely fails. So the first engine is tried for a short
/// while, and then the second.
pub struct Solver {
    quick: ::z3::Solver,
    thorough: OnceCell<::z3::Solver>,
    facts: RefCell<Vec<Bool>>,
    seen: RefCell<Seen>,
}

/// The engines of a [`Solver`].
#[derive(Clone, Copy)]
enum Engine {
    Quick,
    Thorough,
}

/// The number of pairs of applications in one query above which constraints are withheld at first.
const MANY_PAIRS: usize = 50_000;

/// The number of pairs above which constraints are never added.
const MOST_PAIRS: usize = 1_000_000;

/// The applications that the facts mention.
#[derive(Default)]
struct Seen {
    expressions: FxHashSet<Expression>,
    applications: BTreeSet<usize>,
    /// Whether all constraints on the applications have been added.
    said: bool,
    /// The number of pairs of applications whose constraints are withheld because there are so
    /// many.
    withheld: Option<usize>,
}

/// Values under which facts hold.
pub struct Model {
    model: ::z3::Model,
    /// The translation of the query to integers, if it was asked over integers.
    integers: Option<Box<RefCell<Integers>>>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.model.fmt(f)
    }
}

impl Session {
    /// Creates a session without translations. Checks may take this much effort in all, and end at
    /// `deadline` at the latest.
    pub fn new(allowance: Effort, deadline: Instant) -> Self {
        Self {
            terms: FxHashMap::default(),
            functions: FxHashMap::default(),
            applications: Applications::default(),
            maps_as_wholes: false,
            techniques: Techniques::default(),
            deadline,
            allowance,
            spent: 0,
            queries: 0,
        }
    }

    /// Restricts the session to these techniques.
    pub fn with(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// The techniques in use for queries.
    pub fn techniques(&self) -> Techniques {
        self.techniques
    }

    /// Continues where another session has ended, after this much effort and this many checks.
    pub fn resumed(mut self, (spent, queries): (Effort, usize)) -> Self {
        (self.spent, self.queries) = (spent, queries);
        self
    }

    /// Lets checks go on until `deadline`.
    pub fn extend(&mut self, deadline: Instant) {
        self.deadline = self.deadline.max(deadline);
    }

    /// Forgets the translation. Call this between queries about one arena of expressions and
    /// another that did not grow from it: the same number denotes another expression there.
    pub fn change_arena(&mut self) {
        self.terms.clear();
        self.functions.clear();
        self.applications.clear();
    }

    /// Sets the effort that all checks since the session began may take from now on.
    pub fn set_allowance(&mut self, allowance: Effort) {
        self.allowance = allowance;
    }

    /// The effort of all checks so far.
    pub fn spent(&self) -> Effort {
        self.spent
    }

    /// Whether there is no effort or no time left.
    pub fn out_of_time(&self) -> bool {
        self.spent >= self.allowance || self.clock_ran_out()
    }

    /// The time at which no time is left.
    pub fn deadline(&self) -> Deadline {
        Deadline::at(self.deadline)
    }

    /// Whether no time is left, however much effort is.
    pub fn clock_ran_out(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// The number of checks so far.
    pub fn queries(&self) -> usize {
        self.queries
    }

    /// A solver without facts.
    pub fn solver(&self) -> Solver {
        Solver {
            quick: ::z3::Tactic::new("smt").solver(),
            thorough: OnceCell::new(),
            facts: RefCell::default(),
            seen: RefCell::default(),
        }
    }

    /// Adds a fact.
    pub fn assert(&mut self, solver: &Solver, expressions: &Expressions, fact: Expression) {
        let term = self.boolean(expressions, fact);
        solver.assert(term);
        self.mention(solver, expressions, fact);
    }

    /// Makes sure that models give an expression a value that agrees with the facts.
    pub fn mention(&mut self, solver: &Solver, expressions: &Expressions, expression: Expression) {
        self.translate(expressions, expression);
        let mut seen = solver.seen.borrow_mut();
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            if seen.expressions.insert(top) {
                let before = seen.applications.len();
                seen.applications.extend(self.applications.of(top));
                seen.said &= seen.applications.len() == before;
                expressions.for_each_operand(top, |operand| stack.push(operand));
            }
        }
    }

    /// Whether the facts and the assumptions hold together, within `limit` and the session's
    /// remaining effort and time.
    pub fn check(
        &mut self,
        solver: &Solver,
        expressions: &Expressions,
        assumptions: &[Expression],
        limit: Effort,
    ) -> Checked {
        let assumptions = self.prepare(solver, expressions, assumptions);
        match self.ask_all(solver, Engine::Quick, &assumptions, limit.min(QUICK_EFFORT)) {
            Checked::Unknown => self.ask_all(solver, Engine::Thorough, &assumptions, limit),
            answer => answer,
        }
    }

    /// Whether some expressions hold together, if the general engine for bit-vectors decides it
    /// within `limit`.
    pub fn check_quickly(&mut self, e: &Expressions, parts: &[Expression], limit: Effort) -> Checked {
        // The translation of a large query alone takes seconds.
        if !self.techniques.has(Technique::GeneralEngine) || self.out_of_time() {
            return Checked::Unknown;
        }
        let solver = self.solver_of(e, parts);
        self.ask_all(&solver, Engine::Quick, &[], limit)
    }

    /// Whether some expressions hold together, decided by the tactics that translate all bits.
    pub fn check_thoroughly(&mut self, e: &Expressions, parts: &[Expression], limit: Effort) -> Checked {
        if self.out_of_time() {
            return Checked::Unknown;
        }
        let solver = self.solver_of(e, parts);
        self.ask_all(&solver, Engine::Thorough, &[], limit)
    }

    fn solver_of(&mut self, e: &Expressions, parts: &[Expression]) -> Solver {
        let solver = self.solver();
        for &part in parts {
            self.assert(&solver, e, part);
        }
        self.prepare(&solver, e, &[]);
        solver
    }

    /// Whether some expressions hold together, decided over integers.
    pub fn check_integers(
        &mut self,
        expressions: &Expressions,
        parts: &[Expression],
        limit: Effort,
        how: Products,
    ) -> Checked {
        if !self.techniques.has(Technique::Integers) || self.out_of_time() {
            return Checked::Unknown;
        }
        let mut integers = Integers::new(expressions, parts);
        let solver = ::z3::Tactic::new("smt").solver();
        for part in integers.parts(expressions, parts) {
            solver.assert(&part);
        }
        let lemmas = if self.techniques.has(Technique::ProductLemmas) { integers.lemmas() } else { Vec::new() };
        for definition in lemmas.into_iter().chain(integers.definitions()) {
            solver.assert(&definition);
        }
        self.queries += 1;
        let products = integers.definitions_of_products();
        let exact = integers.exact() && (how == Products::Exact || products.is_empty());
        let multiplies = how == Products::Exact && !products.is_empty();
        if multiplies {
            for definition in products {
                solver.assert(&definition);
            }
        }
        // The time that products take is a matter of luck. A short attempt without the engine for
        // real numbers succeeds on many queries in which the whole solver gets lost. It comes on
        // top of the limit.
        let mut answer = Checked::Unknown;
        if multiplies {
            use_real_numbers(&solver, false);
            answer = self.ask(&solver, &[], limit / 4);
            use_real_numbers(&solver, true);
        }
        if matches!(answer, Checked::Unknown) {
            answer = self.ask(&solver, &[], limit);
        }
        match answer {
            Checked::Satisfiable(_) if !exact => Checked::Unknown,
            Checked::Satisfiable(Model { model, .. }) => {
                Checked::Satisfiable(Model { model, integers: Some(Box::new(RefCell::new(integers))) })
            }
            answer => answer,
        }
    }

    /// Adds the constraints that are still missing before a query, and returns the assumptions'
    /// terms.
    fn prepare(&mut self, solver: &Solver, expressions: &Expressions, assumptions: &[Expression]) -> Vec<Bool> {
        for &assumption in assumptions {
            self.mention(solver, expressions, assumption);
        }
        let assumptions: Vec<Bool> =
            assumptions.iter().map(|&assumption| self.boolean(expressions, assumption)).collect();
        let mut seen = solver.seen.borrow_mut();
        if !seen.said {
            let pairs = self.applications.pairs(&seen.applications);
            seen.withheld = Some(pairs).filter(|&pairs| pairs > MANY_PAIRS);
            if seen.withheld.is_none() {
                for constraint in self.applications.constraints(&seen.applications, self.maps_as_wholes) {
                    solver.assert(constraint);
                }
            }
            seen.said = true;
        }
        drop(seen);
        self.queries += 1;
        assumptions
    }

    /// Asks a query. With very many pairs of applications, the constraints on them are left out at
    /// first: a contradiction in the rest counts all the same. The solver's cost for them grows
    /// with the square of their number, so above some number there is no other answer.
    fn ask_all(&mut self, solver: &Solver, engine: Engine, assumptions: &[Bool], limit: Effort) -> Checked {
        let answer = self.ask(solver.engine(engine), assumptions, limit);
        let withheld = solver.seen.borrow().withheld;
        let Some(pairs) = withheld.filter(|_| matches!(answer, Checked::Satisfiable(_))) else { return answer };
        if pairs > MOST_PAIRS {
            return Checked::Unknown;
        }
        let mut seen = solver.seen.borrow_mut();
        for constraint in self.applications.constraints(&seen.applications, true) {
            solver.assert(constraint);
        }
        seen.withheld = None;
        drop(seen);
        self.ask(solver.engine(engine), assumptions, limit)
    }

    fn ask(&mut self, solver: &::z3::Solver, assumptions: &[Bool], limit: Effort) -> Checked {
        let effort = self.allowance.saturating_sub(self.spent).min(limit);
        let time = self.deadline.saturating_duration_since(Instant::now());
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        if milliseconds == 0 || effort == 0 {
            return Checked::Unknown;
        }
        let mut parameters = Params::new();
        parameters.set_u32("rlimit", u32::try_from(effort).unwrap_or(u32::MAX));
        parameters.set_u32("timeout", milliseconds);
        parameters.set_u32("random_seed", 0);
        solver.set_params(&parameters);
        let before = effort_so_far(solver);
        let watched = watchdog::watch(solver.get_context(), time);
        let answer = if assumptions.is_empty() { solver.check() } else { solver.check_assumptions(assumptions) };
        drop(watched);
        // A query has a cost even if Z3 counted nothing.
        self.spent += effort_so_far(solver).saturating_sub(before).max(LEAST_EFFORT);
        match answer {
            SatResult::Unsat => Checked::Unsatisfiable,
            SatResult::Sat => match solver.get_model() {
                Some(model) => Checked::Satisfiable(Model { model, integers: None }),
                None => Checked::Unknown,
            },
            SatResult::Unknown => Checked::Unknown,
        }
    }
}

/// Sets whether the decision procedure for products of real numbers is used.
fn use_real_numbers(solver: &::z3::Solver, used: bool) {
    let mut parameters = Params::new();
    parameters.set_bool("arith.nl.nra", used);
    solver.set_params(&parameters);
}

/// The knowledge about products of unknowns in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Products {
    /// Only linear lemmas.
    Linear,
    /// The definitions of the products.
    Exact,
}

/// The least cost of a query.
const LEAST_EFFORT: Effort = 1_000;

/// The effort that the general engine for bit-vectors may spend on a query before other engines are
/// tried.
pub const QUICK_EFFORT: Effort = 1_000_000;

impl Solver {
    fn assert(&self, fact: Bool) {
        self.quick.assert(&fact);
        if let Some(thorough) = self.thorough.get() {
            thorough.assert(&fact);
        }
        self.facts.borrow_mut().push(fact);
    }

    fn engine(&self, engine: Engine) -> &::z3::Solver {
        match engine {
            Engine::Quick => &self.quick,
            Engine::Thorough => self.thorough(),
        }
    }

    fn thorough(&self) -> &::z3::Solver {
        self.thorough.get_or_init(|| {
            let solver = ::z3::Solver::new();
            for fact in self.facts.borrow().iter() {
                solver.assert(fact);
            }
            solver
        })
    }
}

/// The effort counted in this context so far.
fn effort_so_far(solver: &::z3::Solver) -> Effort {
    match solver.get_statistics().value("rlimit count") {
        Some(::z3::StatisticsValue::UInt(count)) => Effort::from(count),
        _ => 0,
    }
}

impl Model {
    /// The truth value of an expression; values that the facts leave open are completed the same
    /// way each time.
    pub fn boolean(&self, session: &mut Session, expressions: &Expressions, expression: Expression) -> Option<bool> {
        let term = match &self.integers {
            None => session.boolean(expressions, expression),
            Some(integers) => integers.borrow_mut().boolean(expressions, expression),
        };
        self.model.eval(&term, true)?.as_bool()
    }

    /// The value of a bit-vector expression.
    pub fn bits(&self, session: &mut Session, expressions: &Expressions, expression: Expression) -> Option<Bits> {
        let width = expressions.width(expression);
        if let Some(integers) = &self.integers {
            let term = integers.borrow_mut().congruent(expressions, expression);
            return Some(Bits::from_signed(width, self.model.eval(&term, true)?.as_i128()?));
        }
        let term = session.translate(expressions, expression).as_bv()?;
        let value = self.model.eval(&term, true)?;
        if let Some(small) = value.as_u64() {
            return Some(Bits::new(width, small));
        }
        // Wider numerals print as `#x...` or `#b...`.
        let text = value.to_string();
        let number = match text.split_at_checked(2)? {
            ("#x", digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
            ("#b", digits) => BigUint::parse_bytes(digits.as_bytes(), 2),
            _ => None,
        }?;
        Some(Bits::new(width, number))
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{BinaryOp, CompareOp, Role, Sort};

    use super::*;

    fn session() -> Session {
        Session::new(Effort::MAX, Instant::now() + Duration::from_secs(20))
    }

    const LIMIT: Effort = 10_000_000;

    #[test]
    fn the_linked_z3_is_new_enough() {
        assert!(major_version() >= 5, "Z3 {} is linked", ::z3::full_version());
    }

    #[test]
    fn effort_and_time_run_out_apart() {
        let soon = Instant::now() + Duration::from_mins(1);
        let spent = Session::new(0, soon);
        assert!(spent.out_of_time() && !spent.clock_ran_out());
        let late = Session::new(1, Instant::now());
        assert!(late.out_of_time() && late.clock_ran_out());
        assert!(!Session::new(1, soon).out_of_time());
    }

    /// Fails after some 30,000 contexts if [`MemoryUse`] does not correct the limit.
    #[test]
    #[ignore = "makes 40,000 contexts, which takes more than a minute"]
    fn contexts_use_up_nothing() {
        keep_freed_memory();
        let has_model = || {
            in_fresh_context(|| {
                let mut expressions = Expressions::new();
                let [x, y] = ["x", "y"].map(|name| {
                    let variable = expressions.add_variable(name, Sort::Bits(16), None, Role::Input);
                    expressions.variable(variable)
                });
                let product = expressions.binary(BinaryOp::Multiply, x, y);
                let number = expressions.number(16, 0x2b17);
                let facts = [expressions.equal(product, number), expressions.compare(CompareOp::UnsignedLess, x, y)];
                let mut session = session();
                let solver = session.solver();
                for fact in facts {
                    session.assert(&solver, &expressions, fact);
                }
                matches!(session.check(&solver, &expressions, &[], LIMIT), Checked::Satisfiable(_))
            })
        };
        for count in 0..40_000 {
            assert!(has_model(), "Z3 gives up after {count} contexts");
        }
    }

    #[test]
    fn values_come_back_as_they_were_asserted() {
        in_fresh_context(|| {
            let mut expressions = Expressions::new();
            let wide = expressions.add_variable("wide", Sort::Bits(100), None, Role::Input);
            let wide = expressions.variable(wide);
            let value = Bits::ones(100).sub(&Bits::new(100, 41u32));
            let constant = expressions.bits(value.clone());
            let fact = expressions.equal(wide, constant);
            let mut session = session();
            let solver = session.solver();
            session.assert(&solver, &expressions, fact);
            let Checked::Satisfiable(model) = session.check(&solver, &expressions, &[], LIMIT) else {
                panic!("satisfiable");
            };
            assert_eq!(model.bits(&mut session, &expressions, wide), Some(value));
            assert_eq!(model.boolean(&mut session, &expressions, fact), Some(true));
        });
    }

    #[test]
    fn a_sum_means_what_its_terms_say() {
        in_fresh_context(|| {
            let mut expressions = Expressions::new();
            let x = expressions.add_variable("x", Sort::Bits(8), None, Role::Input);
            let y = expressions.add_variable("y", Sort::Bits(8), None, Role::Input);
            let (x, y) = (expressions.variable(x), expressions.variable(y));
            // 3x - y + 250
            let sum = expressions.sum(Bits::new(8, 250u32), vec![(Bits::new(8, 3u32), x), (Bits::ones(8), y)]);
            let (seven, two) = (expressions.number(8, 7), expressions.number(8, 2));
            let facts = [expressions.equal(x, seven), expressions.equal(y, two)];
            let mut session = session();
            let solver = session.solver();
            for fact in facts {
                session.assert(&solver, &expressions, fact);
            }
            let Checked::Satisfiable(model) = session.check(&solver, &expressions, &[], LIMIT) else {
                panic!("satisfiable");
            };
            assert_eq!(model.bits(&mut session, &expressions, sum), Some(Bits::new(8, 13u32)));
        });
    }

    #[test]
    fn assumptions_are_for_one_check() {
        in_fresh_context(|| {
            let mut expressions = Expressions::new();
            let p = expressions.add_variable("p", Sort::Boolean, None, Role::Input);
            let p = expressions.variable(p);
            let not_p = expressions.not(p);
            let mut session = session();
            let solver = session.solver();
            session.assert(&solver, &expressions, p);
            assert!(matches!(session.check(&solver, &expressions, &[not_p], LIMIT), Checked::Unsatisfiable));
            assert!(matches!(session.check(&solver, &expressions, &[p], LIMIT), Checked::Satisfiable(_)));
            assert_eq!(session.queries(), 2);
        });
    }

    #[test]
    fn deep_expressions_are_translated_without_recursion() {
        in_fresh_context(|| {
            let mut expressions = Expressions::new();
            let x = expressions.add_variable("x", Sort::Bits(8), None, Role::Input);
            let x = expressions.variable(x);
            let mut deep = x;
            for _ in 0..50_000 {
                let product = expressions.binary(BinaryOp::Xor, deep, x);
                deep = expressions.binary(BinaryOp::UnsignedDivide, product, x);
            }
            let fact = expressions.equal(deep, x);
            let mut session = session();
            let solver = session.solver();
            session.assert(&solver, &expressions, fact);
        });
    }
}
