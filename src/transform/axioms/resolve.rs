//! Resolves the names in axioms and gives every expression its sort.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{self, Kernel, UNINTERPRETED};
use lockstep_ir::sequential::{BinaryOp, CompareOp, Sort};

use super::read::{Connective, Declarations, Function, Node, Tree, TypeName};
use super::{Axiom, AxiomError, Axioms, Operation, Term, TermKind};

/// The parameter and result sorts of a function; a truth value is a bit-vector of one bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The sorts of its parameters.
    pub parameters: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
}

/// The uninterpreted functions that kernels apply, by their names in the source.
#[derive(Clone, Debug, Default)]
pub struct Signatures(pub(super) BTreeMap<String, Signature>);

impl Signatures {
    /// Adds the functions of a kernel. The error names a function that another kernel applies with
    /// a different signature.
    pub fn add(&mut self, kernel: &Kernel) -> Result<(), String> {
        let bits = |ty: kernel::Type| ty.width().map(Sort::Bits);
        for data in kernel.instructions.values() {
            let (kernel::Operation::Uninterpreted(name, operands), Some(result)) = (&data.operation, data.result)
            else {
                continue;
            };
            let Some(name) = name.strip_prefix(UNINTERPRETED) else { continue };
            let parameters: Option<Vec<Sort>> = operands.iter().map(|&operand| bits(kernel.ty(operand))).collect();
            let (Some(parameters), Some(result)) = (parameters, bits(kernel.ty(result))) else { continue };
            let signature = Signature { parameters, result };
            match self.0.get(name) {
                Some(known) if *known != signature => return Err(format!("{name} is declared in two ways")),
                Some(_) => {}
                None => {
                    self.0.insert(name.to_owned(), signature);
                }
            }
        }
        Ok(())
    }
}

/// Resolves the axioms of a file.
pub fn resolve(declarations: &Declarations, kernels: &Signatures) -> Result<Axioms, AxiomError> {
    let resolver = Resolver { declarations, kernels };
    let error = |(line, message)| AxiomError { file: declarations.file.clone(), line, message };
    resolver.all().map_err(error)
}

type Resolved<T> = Result<T, (u32, String)>;

/// Conversions between function pointers and other pointers, which keep the value here. The axioms
/// that GPUVerify needs about them therefore hold.
const CONVERSIONS: [&str; 2] = ["FUNCPTR_TO_PTR", "PTR_TO_FUNCPTR"];

/// The deepest nesting of calls between functions with bodies.
const DEEPEST: usize = 100;

struct Resolver<'a> {
    declarations: &'a Declarations,
    kernels: &'a Signatures,
}

/// The bound names, and the functions that are being expanded.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: BTreeMap<String, Term>,
    expanding: Vec<String>,
}

impl Resolver<'_> {
    fn all(&self) -> Resolved<Axioms> {
        for (name, function) in &self.declarations.functions {
            self.signature(function)?;
            if let Some(builtin) = function.builtin.as_deref().filter(|builtin| operation(builtin).is_none()) {
                return Err((function.line, format!("function {name} is `{builtin}`, which is not known")));
            }
        }
        let mut axioms = self.unique_constants()?;
        for (line, tree) in &self.declarations.axioms {
            if !is_about_conversions(tree) {
                self.axiom(*line, tree, &[], &mut axioms)?;
            }
        }
        Ok(Axioms { file: self.declarations.file.clone(), axioms })
    }

    /// Axioms that state that unique constants of one type differ.
    fn unique_constants(&self) -> Resolved<Vec<Axiom>> {
        let unique: Vec<_> = self.declarations.constants.iter().filter(|constant| constant.unique).collect();
        let mut axioms = Vec::new();
        for (index, first) in unique.iter().enumerate() {
            for second in &unique[index + 1..] {
                let sorts = [self.sort(first.line, &first.ty)?, self.sort(second.line, &second.ty)?];
                if sorts[0] != sorts[1] {
                    continue;
                }
                let both = [first, second]
                    .map(|constant| Term { sort: sorts[0], kind: TermKind::Apply(constant.name.clone(), Vec::new()) });
                let body = negation(boolean(Operation::Equal, both.into()));
                axioms.push(Axiom { line: second.line, variables: Vec::new(), patterns: vec![Vec::new()], body });
            }
        }
        Ok(axioms)
    }

    /// Adds the axioms that an expression states, for all values of the variables around it.
    fn axiom(&self, line: u32, tree: &Tree, around: &[(String, Sort)], axioms: &mut Vec<Axiom>) -> Resolved<()> {
        match &tree.node {
            Node::Connective(Connective::And, both) => {
                both.iter().try_for_each(|part| self.axiom(line, part, around, axioms))
            }
            Node::ForAll { variables, triggers, body } => {
                let mut bound = around.to_vec();
                for (name, ty) in variables {
                    if bound.iter().any(|(known, _)| known == name) {
                        return Err((tree.line, format!("`{name}` is bound twice")));
                    }
                    bound.push((name.clone(), self.sort(tree.line, ty)?));
                }
                if matches!(body.node, Node::ForAll { .. } | Node::Connective(Connective::And, _))
                    && triggers.is_empty()
                {
                    return self.axiom(line, body, &bound, axioms);
                }
                axioms.push(self.quantified(line, &bound, triggers, body)?);
                Ok(())
            }
            _ => {
                axioms.push(self.quantified(line, around, &[], tree)?);
                Ok(())
            }
        }
    }

    fn quantified(&self, line: u32, bound: &[(String, Sort)], triggers: &[Vec<Tree>], body: &Tree) -> Resolved<Axiom> {
        let mut scope = Scope::default();
        for (index, (name, sort)) in bound.iter().enumerate() {
            scope.names.insert(name.clone(), Term { sort: *sort, kind: TermKind::Variable(index) });
        }
        let holds = self.boolean(&scope, body)?;
        let all: Vec<usize> = (0..bound.len()).collect();
        let resolved = triggers.iter().map(|list| list.iter().map(|one| self.term(&scope, one)).collect());
        let mut patterns = resolved.collect::<Resolved<Vec<Vec<Term>>>>()?;
        // A trigger is a hint from the Boogie user; an unhelpful one is ignored.
        patterns.retain(|list| list.iter().all(is_application) && variables_of(list) == all);
        if patterns.is_empty() {
            patterns = inferred_patterns(&holds, &all);
        }
        Ok(Axiom { line, variables: bound.iter().map(|(_, sort)| *sort).collect(), patterns, body: holds })
    }

    // --- Sorts -----------------------------------------------------------------------------------

    fn sort(&self, line: u32, ty: &TypeName) -> Resolved<Sort> {
        let mut ty = ty;
        for _ in 0..DEEPEST {
            match ty {
                TypeName::Boolean => return Ok(Sort::Boolean),
                TypeName::Bits(width) => return Ok(Sort::Bits(*width)),
                TypeName::Named(name) => {
                    let known = self.declarations.types.get(name);
                    ty = known
                        .ok_or_else(|| (line, format!("type {name} is not known: only bit-vectors and bool are")))?;
                }
            }
        }
        Err((line, "types that are named by each other".to_owned()))
    }

    fn signature(&self, function: &Function) -> Resolved<Signature> {
        let parameters =
            function.parameters.iter().map(|(_, ty)| self.sort(function.line, ty)).collect::<Resolved<_>>()?;
        Ok(Signature { parameters, result: self.sort(function.line, &function.result)? })
    }

    // --- Expressions -----------------------------------------------------------------------------

    fn boolean(&self, scope: &Scope, tree: &Tree) -> Resolved<Term> {
        let term = self.term(scope, tree)?;
        if term.sort == Sort::Boolean {
            Ok(term)
        } else {
            Err((tree.line, format!("{} is no truth value", sort_name(term.sort))))
        }
    }

    fn term(&self, scope: &Scope, tree: &Tree) -> Resolved<Term> {
        let line = tree.line;
        match &tree.node {
            Node::Boolean(value) => Ok(Term { sort: Sort::Boolean, kind: TermKind::Boolean(*value) }),
            Node::Bits(bits) => Ok(Term { sort: Sort::Bits(bits.width()), kind: TermKind::Bits(bits.clone()) }),
            Node::Name(name) => self.name(scope, line, name),
            Node::Call(name, arguments) => {
                let arguments = arguments.iter().map(|one| self.term(scope, one)).collect::<Resolved<Vec<_>>>()?;
                self.call(scope, line, name, arguments)
            }
            Node::Not(inner) => Ok(negation(self.boolean(scope, inner)?)),
            Node::Connective(kind @ (Connective::Equal | Connective::NotEqual), both) => {
                let both = [self.term(scope, &both[0])?, self.term(scope, &both[1])?];
                same_sort(line, &both[0], &both[1])?;
                let equal = boolean(Operation::Equal, both.into());
                Ok(if *kind == Connective::Equal { equal } else { negation(equal) })
            }
            Node::Connective(kind, both) => {
                let both = vec![self.boolean(scope, &both[0])?, self.boolean(scope, &both[1])?];
                let operation = match kind {
                    Connective::And => Operation::And,
                    Connective::Or => Operation::Or,
                    Connective::Implies | Connective::Equal | Connective::NotEqual => Operation::Implies,
                };
                Ok(boolean(operation, both))
            }
            Node::Concat(both) => {
                let both = [self.term(scope, &both[0])?, self.term(scope, &both[1])?];
                let widths = [width(line, &both[0])?, width(line, &both[1])?];
                let sort = Sort::Bits(widths[0] + widths[1]);
                Ok(Term { sort, kind: TermKind::Operation(Operation::Concat, both.into()) })
            }
            Node::Extract(high, low, inner) => {
                let inner = self.term(scope, inner)?;
                let of = width(line, &inner)?;
                if low >= high || *high > of {
                    return Err((line, format!("[{high}:{low}] of {}", sort_name(inner.sort))));
                }
                let operation = Operation::Extract(high - 1, *low);
                Ok(Term { sort: Sort::Bits(high - low), kind: TermKind::Operation(operation, vec![inner]) })
            }
            Node::Conditional(three) => {
                let condition = self.boolean(scope, &three[0])?;
                let (then, otherwise) = (self.term(scope, &three[1])?, self.term(scope, &three[2])?);
                same_sort(line, &then, &otherwise)?;
                let operands = vec![condition, then, otherwise];
                Ok(Term { sort: operands[1].sort, kind: TermKind::Operation(Operation::IfThenElse, operands) })
            }
            Node::ForAll { .. } => {
                Err((line, "a `forall` inside of what holds for all values: one around everything is known".to_owned()))
            }
        }
    }

    fn name(&self, scope: &Scope, line: u32, name: &str) -> Resolved<Term> {
        if let Some(term) = scope.names.get(name) {
            return Ok(term.clone());
        }
        let constant = self.declarations.constants.iter().find(|constant| constant.name == name);
        let constant =
            constant.ok_or_else(|| (line, format!("`{name}` is not known: neither a variable nor a constant")))?;
        let sort = self.sort(constant.line, &constant.ty)?;
        Ok(Term { sort, kind: TermKind::Apply(name.to_owned(), Vec::new()) })
    }

    fn call(&self, scope: &Scope, line: u32, name: &str, arguments: Vec<Term>) -> Resolved<Term> {
        let declared = self.declarations.functions.get(name);
        let applied = self.kernels.0.get(name);
        let given: Vec<Sort> = arguments.iter().map(|argument| argument.sort).collect();
        let fits = |parameters: &[Sort]| {
            let shown = |sorts: &[Sort]| sorts.iter().map(|&sort| sort_name(sort)).collect::<Vec<_>>().join(", ");
            let message = || format!("{name} takes ({}) and is given ({})", shown(parameters), shown(&given));
            if parameters == given { Ok(()) } else { Err((line, message())) }
        };
        let signature = match (declared, applied) {
            (None, None) => {
                let (operation, width) = of_gpuverify(name).ok_or_else(|| {
                    (line, format!("function {name} is neither declared in the file nor applied by a kernel"))
                })?;
                fits(&vec![Sort::Bits(width); given.len()])?;
                return operate(line, name, operation, arguments);
            }
            (Some(function), applied) => {
                let signature = self.signature(function)?;
                if applied.is_some_and(|applied| *applied != signature) {
                    return Err((function.line, format!("function {name} is declared otherwise than in the kernel")));
                }
                signature
            }
            (None, Some(applied)) => applied.clone(),
        };
        fits(&signature.parameters)?;
        let term = match declared {
            Some(Function { builtin: Some(builtin), .. }) => {
                let operation = operation(builtin).ok_or_else(|| (line, format!("`{builtin}` is not known")))?;
                operate(line, name, operation, arguments)?
            }
            Some(Function { body: Some(body), parameters, .. }) => {
                if scope.expanding.len() >= DEEPEST || scope.expanding.iter().any(|known| known == name) {
                    return Err((line, format!("function {name} calls itself")));
                }
                let mut inside = Scope { names: BTreeMap::new(), expanding: scope.expanding.clone() };
                inside.expanding.push(name.to_owned());
                let named = parameters.iter().zip(arguments);
                inside.names.extend(named.filter_map(|((name, _), value)| Some((name.clone()?, value))));
                self.term(&inside, body)?
            }
            _ => Term { sort: signature.result, kind: TermKind::Apply(name.to_owned(), arguments) },
        };
        if term.sort != signature.result {
            return Err((line, format!("{name} is {}, not {}", sort_name(term.sort), sort_name(signature.result))));
        }
        Ok(term)
    }
}

/// Whether an expression applies only conversions that keep the value here.
fn is_about_conversions(tree: &Tree) -> bool {
    let Node::ForAll { variables, body, .. } = &tree.node else { return false };
    let pointers =
        variables.iter().all(|(_, ty)| matches!(ty, TypeName::Named(name) if name == "ptr" || name == "functionPtr"));
    let Node::Connective(Connective::Equal, both) = &body.node else { return false };
    let kept = |tree: &Tree, name: &str| match &tree.node {
        Node::Call(outer, arguments) => match arguments.as_slice() {
            [Tree { node: Node::Call(inner, arguments), .. }] => {
                let there_and_back =
                    outer != inner && [outer, inner].iter().all(|name| CONVERSIONS.contains(&name.as_str()));
                there_and_back && matches!(arguments.as_slice(), [Tree { node: Node::Name(of), .. }] if of == name)
            }
            _ => false,
        },
        _ => false,
    };
    let is = |there: &Tree, back: &Tree| matches!(&back.node, Node::Name(name) if kept(there, name));
    pointers && (is(&both[0], &both[1]) || is(&both[1], &both[0]))
}

// --- Operations ----------------------------------------------------------------------------------

/// The SMT-LIB operation with a name, and whether its operands must be exchanged because this
/// module spells it the other way round.
fn operation(name: &str) -> Option<(Operation, bool)> {
    use BinaryOp as B;
    use CompareOp as C;
    let words: Vec<&str> = name.split_whitespace().collect();
    if let [extension @ ("zero_extend" | "sign_extend"), by] = words[..] {
        let by = by.parse().ok()?;
        let extend = if extension == "zero_extend" { Operation::ZeroExtend } else { Operation::SignExtend };
        return Some((extend(by), false));
    }
    let operation = match name {
        "bvnot" => Operation::Complement,
        "bvneg" => Operation::Negate,
        "bvadd" => Operation::Add,
        "bvsub" => Operation::Subtract,
        "bvmul" => Operation::Binary(B::Multiply),
        "bvudiv" => Operation::Binary(B::UnsignedDivide),
        "bvsdiv" => Operation::Binary(B::SignedDivide),
        "bvurem" => Operation::Binary(B::UnsignedRemainder),
        "bvsrem" => Operation::Binary(B::SignedRemainder),
        "bvshl" => Operation::Binary(B::ShiftLeft),
        "bvlshr" => Operation::Binary(B::LogicalShiftRight),
        "bvashr" => Operation::Binary(B::ArithmeticShiftRight),
        "bvand" => Operation::Binary(B::And),
        "bvor" => Operation::Binary(B::Or),
        "bvxor" => Operation::Binary(B::Xor),
        "bvult" | "bvugt" => Operation::Compare(C::UnsignedLess),
        "bvule" | "bvuge" => Operation::Compare(C::UnsignedLessEqual),
        "bvslt" | "bvsgt" => Operation::Compare(C::SignedLess),
        "bvsle" | "bvsge" => Operation::Compare(C::SignedLessEqual),
        "concat" => Operation::Concat,
        _ => return None,
    };
    Some((operation, matches!(name, "bvugt" | "bvuge" | "bvsgt" | "bvsge")))
}

/// The operation that a GPUVerify function stands for, and the width of its operands: `BV32_ADD`,
/// `BV8_SEXT32`.
fn of_gpuverify(name: &str) -> Option<((Operation, bool), u32)> {
    let (width, rest) = name.strip_prefix("BV")?.split_once('_')?;
    let width: u32 = width.parse().ok().filter(|&width| width > 0)?;
    for (prefix, extension) in [("ZEXT", "zero_extend"), ("SEXT", "sign_extend")] {
        if let Some(to) = rest.strip_prefix(prefix) {
            let by = to.parse::<u32>().ok()?.checked_sub(width)?;
            return Some((operation(&format!("{extension} {by}"))?, width));
        }
    }
    // GPUVerify's names are those of SMT-LIB, except for division.
    let name = if rest == "DIV" { "sdiv".to_owned() } else { rest.to_ascii_lowercase() };
    Some((operation(&format!("bv{name}"))?, width))
}

/// Applies an operation to operands whose sorts fit it.
fn operate(
    line: u32,
    name: &str,
    (operation, exchanged): (Operation, bool),
    mut operands: Vec<Term>,
) -> Resolved<Term> {
    let number = match operation {
        Operation::Complement | Operation::Negate | Operation::ZeroExtend(_) | Operation::SignExtend(_) => 1,
        _ => 2,
    };
    if operands.len() != number {
        return Err((line, format!("{name} is given {} operands and takes {number}", operands.len())));
    }
    let widths = operands.iter().map(|operand| width(line, operand)).collect::<Resolved<Vec<u32>>>()?;
    if operation != Operation::Concat {
        same_sort(line, &operands[0], &operands[number - 1])?;
    }
    let (operation, sort) = match operation {
        Operation::ZeroExtend(by) => (Operation::ZeroExtend(widths[0] + by), Sort::Bits(widths[0] + by)),
        Operation::SignExtend(by) => (Operation::SignExtend(widths[0] + by), Sort::Bits(widths[0] + by)),
        Operation::Concat => (operation, Sort::Bits(widths[0] + widths[1])),
        Operation::Compare(_) => (operation, Sort::Boolean),
        _ => (operation, operands[0].sort),
    };
    if exchanged {
        operands.swap(0, 1);
    }
    Ok(Term { sort, kind: TermKind::Operation(operation, operands) })
}

fn boolean(operation: Operation, operands: Vec<Term>) -> Term {
    Term { sort: Sort::Boolean, kind: TermKind::Operation(operation, operands) }
}

fn negation(term: Term) -> Term {
    boolean(Operation::Not, vec![term])
}

fn same_sort(line: u32, a: &Term, b: &Term) -> Resolved<()> {
    if a.sort == b.sort { Ok(()) } else { Err((line, format!("{} and {} meet", sort_name(a.sort), sort_name(b.sort)))) }
}

fn width(line: u32, term: &Term) -> Resolved<u32> {
    match term.sort {
        Sort::Bits(width) => Ok(width),
        other @ (Sort::Boolean | Sort::Map { .. }) => Err((line, format!("{} is no bit-vector", sort_name(other)))),
    }
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "bool".to_owned(),
        Sort::Bits(width) => format!("bv{width}"),
        Sort::Map { .. } => "a map".to_owned(),
    }
}

// --- Patterns ------------------------------------------------------------------------------------

fn is_application(term: &Term) -> bool {
    matches!(term.kind, TermKind::Apply(..))
}

fn variables_of(terms: &[Term]) -> Vec<usize> {
    let mut variables: Vec<usize> = terms.iter().flat_map(Term::variables).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// The patterns of a body without triggers. Each application that mentions all variables is a
/// pattern by itself. Without such an application, the pattern is a list of applications that
/// together mention as many variables as possible.
fn inferred_patterns(body: &Term, all: &[usize]) -> Vec<Vec<Term>> {
    let mut applications: Vec<Term> = Vec::new();
    body.for_each(&mut |term| {
        if is_application(term) && !term.variables().is_empty() && !applications.contains(term) {
            applications.push(term.clone());
        }
    });
    let alone: Vec<Vec<Term>> =
        applications.iter().filter(|term| term.variables() == all).map(|term| vec![term.clone()]).collect();
    if !alone.is_empty() {
        return alone;
    }
    let mut together: Vec<Term> = Vec::new();
    for application in applications {
        let known = variables_of(&together);
        if application.variables().iter().any(|variable| !known.contains(variable)) {
            together.push(application);
        }
    }
    vec![together]
}
