//! Files that are read, and files that are refused with their line.

use std::fmt::Write as _;

use lockstep_ir::sequential::Sort;

use super::resolve::{Signature, Signatures, resolve};
use super::{Axiom, Axioms, Operation, Term, TermKind, read};

/// Kernels that declare `f` of one number and `g` of two.
fn kernels() -> Signatures {
    let word = Sort::Bits(32);
    let of = |parameters: usize| Signature { parameters: vec![word; parameters], result: word };
    Signatures([("f".to_owned(), of(1)), ("g".to_owned(), of(2))].into())
}

fn axioms(text: &str) -> Result<Axioms, String> {
    let declarations = read("a.bpl", text).map_err(|error| error.to_string())?;
    resolve(&declarations, &kernels()).map_err(|error| error.to_string())
}

/// The term in prefix form, with variables shown by their numbers.
fn shown(term: &Term) -> String {
    let list = |operands: &[Term]| {
        operands.iter().fold(String::new(), |mut text, operand| {
            let _ = write!(text, " {}", shown(operand));
            text
        })
    };
    match &term.kind {
        TermKind::Variable(index) => format!("#{index}"),
        TermKind::Boolean(value) => value.to_string(),
        TermKind::Bits(bits) => format!("{}:{}", bits.unsigned(), bits.width()),
        TermKind::Apply(name, operands) => format!("({name}{})", list(operands)),
        TermKind::Operation(operation, operands) => format!("({operation:?}{})", list(operands)),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<String> = axioms(text).expect(text).axioms.iter().map(|axiom| shown(&axiom.body)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn precedence_and_association() {
    let x = |body: &str| format!("axiom (forall x : bv32 :: {body});");
    check(
        &x("f(x) == x && x != 1bv32 ==> true ==> false"),
        &["(Implies (And (Equal (f #0) #0) (Not (Equal #0 1:32))) (Implies true false))"],
    );
    check(&x("true <== f(x) == x <== false"), &["(Implies false (Implies (Equal (f #0) #0) true))"]);
    check(
        &x("!(f(x) == x) <==> true || false || true"),
        &["(Equal (Not (Equal (f #0) #0)) (Or (Or true false) true))"],
    );
    check(&x("x[8:0] ++ x[32:8] == f(x)"), &["(Equal (Concat (Extract(7, 0) #0) (Extract(31, 8) #0)) (f #0))"]);
    check(&x("(if x == 0bv32 then f(x) else x) == x"), &["(Equal (IfThenElse (Equal #0 0:32) (f #0) #0) #0)"]);
}

#[test]
fn names_of_types_functions_and_constants() {
    let declarations = "type T = U; type U = bv32;\nfunction {:bvbuiltin \"bvuge\"} GE(T, T) : bool;\n\
        function {:inline true} twice(x : T) returns (r : T) { BV32_ADD(x, x) }\nfunction h(bv8) : T;\n\
        const unique a, b : T; const {:x 1} c : bv8;\n";
    check(
        &format!("{declarations}axiom (forall y : T :: {{:weight 3}} {{ f(y) }} GE(twice(f(y)), h(c)));"),
        &["(Not (Equal (a) (b)))", "(Compare(UnsignedLessEqual) (h (c)) (Add (f #0) (f #0)))"],
    );
    check(
        "axiom (forall x : bv8 :: f(BV8_SEXT32(x)) == BV8_ZEXT32(x));",
        &["(Equal (f (SignExtend(32) #0)) (ZeroExtend(32) #0))"],
    );
}

#[test]
fn conjunctions_and_quantifiers_are_taken_apart() {
    let text =
        "axiom (forall x : bv32 :: (forall y : bv32 :: g(x, y) == g(y, x) && g(x, y) != x)) && f(0bv32) == 0bv32;";
    check(text, &["(Equal (g #0 #1) (g #1 #0))", "(Not (Equal (g #0 #1) #0))", "(Equal (f 0:32) 0:32)"]);
    // This fact about function pointers is known without an axiom.
    check("axiom (forall x : ptr :: {F(x)} FUNCPTR_TO_PTR(PTR_TO_FUNCPTR(x)) == x);", &[]);
}

#[test]
fn patterns() {
    let patterns = |text: &str| -> Vec<Vec<String>> {
        let Axiom { patterns, .. } = axioms(text).expect(text).axioms.remove(0);
        patterns.iter().map(|list| list.iter().map(shown).collect()).collect()
    };
    let x = |triggers: &str, body: &str| patterns(&format!("axiom (forall x, y : bv32 :: {triggers} {body});"));
    assert_eq!(x("{ g(x, y) }", "g(x, y) == g(y, x)"), [["(g #0 #1)"]]);
    // The user's triggers that mention all variables count; without one, each application that
    // does.
    assert_eq!(x("{ f(x) } { f(x), f(y) }", "g(x, y) == f(x)"), [["(f #0)", "(f #1)"]]);
    assert_eq!(x("{ f(x) }", "g(x, f(y)) == g(y, x)"), [["(g #0 (f #1))"], ["(g #1 #0)"]]);
    // Without such an application, several together form a pattern that mentions as many as
    // possible.
    assert_eq!(x("", "f(x) == f(y) ==> x == y"), [["(f #0)", "(f #1)"]]);
    assert_eq!(x("", "f(x) != y"), [["(f #0)"]]);
    assert_eq!(patterns("axiom f(1bv32) == 1bv32;"), [[""; 0]]);
}

#[test]
fn unknown_constructs_are_refused_with_their_line() {
    let cases = [
        ("\nprocedure p();", 2, "`procedure` is not read"),
        ("var x : bv32;", 1, "`var` is not read"),
        ("type T;", 1, "type T is not a name of another"),
        ("type T = U; type U = T;\naxiom (forall x : T :: f(x) == x);", 2, "named by each other"),
        ("axiom (forall x : int :: f(x) == x);", 1, "type int"),
        ("axiom\n (forall x : S :: f(x) == x);", 2, "type S is not known"),
        ("axiom f(1) == 0bv32;", 1, "1 is an int"),
        ("axiom (forall x : bv32 :: f(x) < x);", 1, "`<` is for int"),
        ("axiom (forall x : bv32 :: f(x) + x == x);", 1, "`+` is for int"),
        ("axiom (exists x : bv32 :: f(x) == x);", 1, "`exists` is not known"),
        ("axiom (forall x : bv32 :: f(x) == x ==> (forall y : bv32 :: f(y) == x));", 1, "a `forall` inside"),
        ("axiom (forall x : bv32 :: (forall x : bv32 :: f(x) == x));", 1, "`x` is bound twice"),
        (
            "axiom (forall x : bv32 :: h(x) == x);",
            1,
            "function h is neither declared in the file nor applied by a kernel",
        ),
        ("axiom (forall x : bv16 :: f(x) == x);", 1, "f takes (bv32) and is given (bv16)"),
        ("axiom (forall x : bv32 :: f(x, x) == x);", 1, "f takes (bv32) and is given (bv32, bv32)"),
        ("axiom (forall x : bv32 :: f(x));", 1, "bv32 is no truth value"),
        ("axiom (forall x : bv32 :: f(x) == 0bv8);", 1, "bv32 and bv8 meet"),
        ("axiom (forall x : bv32 :: f(y) == x);", 1, "`y` is not known"),
        ("axiom (forall x : bv32 :: f(x)[33:0] == x);", 1, "[33:0] of bv32"),
        ("axiom true && false || true;", 1, "needs parentheses"),
        ("\nfunction f(bv8) : bv8;\naxiom f(0bv8) == 0bv8;", 2, "declared otherwise than in the kernel"),
        ("function h(bv8) : bv8;\nfunction h(bv8) : bv8;", 2, "declared twice"),
        ("function {:bvbuiltin \"bvfoo\"} h(bv8) : bv8;", 1, "`bvfoo`, which is not known"),
        ("function {:bvbuiltin \"bvadd\"} h(bv8) : bv8;\naxiom h(0bv8) == 0bv8;", 2, "takes 2"),
        ("function h(x : bv8) : bv8 { h(x) }\naxiom h(0bv8) == 0bv8;", 1, "calls itself"),
        ("axiom f(0bv32) == 0bv32", 1, "the end of the file stands where `;`"),
        ("axiom (forall x : bv32 ::\n f(x) == );", 2, "`)` is not expected there"),
    ];
    for (text, line, part) in cases {
        let error = axioms(text).expect_err(text);
        assert!(error.starts_with(&format!("a.bpl:{line}: ")) && error.contains(part), "{text}: {error}");
    }
    let deep = format!("axiom {}true{};", "(".repeat(1_000), ")".repeat(1_000));
    assert!(axioms(&deep).unwrap_err().contains("nested too deep"));
    assert!(axioms(&format!("axiom {}true;", "true && ".repeat(100_000))).unwrap_err().contains("more than"));
    assert!(axioms(&format!("axiom {}true;", "!".repeat(1_000))).unwrap_err().contains("nested too deep"));
    assert!(axioms(&format!("axiom {}true;", "true ==> ".repeat(1_000))).unwrap_err().contains("nested too deep"));
}

#[test]
fn exchanged_operands() {
    let text = "function {:bvbuiltin \"bvsgt\"} GT(bv32, bv32) : bool;\naxiom GT(f(0bv32), 1bv32);";
    let axiom = axioms(text).unwrap().axioms.remove(0);
    let TermKind::Operation(Operation::Compare(_), operands) = &axiom.body.kind else { panic!("{axiom:?}") };
    assert_eq!(shown(&operands[0]), "1:32");
}
