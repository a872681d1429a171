//! Prints sequential programs, pleasant to read and readable by [`super::parse()`].
//!
//! # The format
//!
//! ```text
//! program "scale" same-group;
//! assumption pointers_apart;
//! input lid$1, lid$2: bv32;            // roles: input watched value predicate counter …
//! array arr0 "a": watched watched.a, cells of 4 bytes, element "float" of 4 bytes;
//! require lid$1 <u 64 because "thread ids lie in the group";
//! body {
//!   // 3: for (int i = 0; i < n; i++)
//!   i$1 = 0; @0
//!   while loop0 (active$1 || active$2) counter k active {active$1, active$2} @0
//!     carried "i" {i$1, i$2} = {0, 0} then {i$1 + 1, i$2 + 1};
//!     invariant [bounds] i$1 <=s n;
//!   {
//!     havoc choice: choice; @1
//!     assert ob0: !hit || offset$2 != watched.a; @1 // race: write - read
//!   }
//! }
//! ```
//!
//! Operators bind as in Rust, from loose to tight: `?:`, `==>`, `||`, `&&`, comparisons, `|`, `^`,
//! `&`, shifts, `+ -`, `* / %`, prefix operators, `x[7:0]` (bits), `m[i]` and `m[i := v]` (maps).
//! Operators that depend on the sign are marked: `<u` and `<s`, `/u` and `/s`, `>>u` and `>>s`. A
//! constant has the width of the operands beside it, or an explicit width, `5bv32`, if they do not
//! determine it. `let %1 = …;` names an expression that occurs more than once in the following
//! item. `let tid$1 = …;` names one that has a name in the source or in the method. Both are
//! abbreviations. `when c: x = v;` is `x = c ? v : x;`. `@4` is an entry of the table of locations
//! at the end.
//!
//! Operands of commutative operators are printed in an order that depends on the program alone, not
//! on the order in which its expressions were built. So parsing a text and printing the result
//! gives the same text.

mod assumption;
mod expression;
mod keywords;
mod names;
mod order;
mod program;

use std::fmt::Write as _;

pub(super) use assumption::assumption_text;
use expression::Item;
pub(super) use keywords::{ground_text, sort_text, thread_of_name};
use names::{Names, View};
use order::Order;
use program::Printer;

use super::{Expression, Expressions, Program};

/// The text of a source line, by file name and line number.
type SourceLine<'a> = dyn Fn(&str, u32) -> Option<String> + 'a;

/// The parts of a printed program besides its statements.
#[derive(Default)]
pub struct PrintOptions<'a> {
    /// The text of a source line, by file name and line number; shown above the statements that
    /// come from it.
    pub source_line: Option<&'a SourceLine<'a>>,
    /// Whether comments at the start explain how to read the program.
    pub legend: bool,
    /// Whether only the body is printed, for reading: without tables, references into them, and
    /// ghosts of loops.
    pub body_only: bool,
}

/// The program as text.
pub fn print(program: &Program, options: &PrintOptions<'_>) -> String {
    Printer::new(program, options).print()
}

/// One expression as text; the definitions of its shared parts come first, separated by `;`.
pub fn print_expression(expressions: &Expressions, expression: Expression) -> String {
    let mut order = Order::new(expressions);
    order.compute(expression);
    let view = View { order: &order, names: &Names::default() };
    let item = Item::new(&view, &[expression], None);
    let mut text = String::new();
    for &shared in &item.definitions {
        let _ = write!(text, "let {} = {}; ", item.reference(shared), item.definition(&view, shared));
    }
    text + &item.render(&view, expression, false)
}

/// Words that need backquotes as the name of a variable or function: those with which a statement
/// or an operand begins.
pub(super) const KEYWORDS: &[&str] = &["true", "false", "concat", "let", "havoc", "assume", "assert", "while", "when"];

/// A name in the text format: in backquotes if it could be mistaken for another token.
pub(super) fn name_text(name: &str) -> String {
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'))
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !KEYWORDS.contains(&name)
        && !["zext", "sext"].iter().any(|prefix| {
            name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
        });
    if plain { name.to_owned() } else { format!("`{}`", escape(name, '`')) }
}

/// A string literal of the format.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text, '"'))
}

fn escape(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\\' => escaped.push_str("\\\\"),
            c if c == quote => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
#[cfg(test)]
mod tests {
    use super::super::testing::sample;
    use super::super::{BinaryOp, Role, Sort};
    use super::*;

    #[test]
    fn a_loop_reads_like_source() {
        let source = |_: &str, line| (line == 4).then(|| "  a[4 * lid + i - 3] = f(a[0]);".to_owned());
        let text = print(&sample(), &PrintOptions { source_line: Some(&source), ..PrintOptions::default() });
        let expected = r#"
body {
  hit$1 = false;
  havoc a: contents "a";
  // scale.cl:3
  i = 0; @0
  active = n >s 0; @0
  while loop0 (active) counter k active active @0
    carried "i" i = 0 then i + 1;
    invariant [user] i == k[31:0];
    invariant [user] i <=u 4;
    invariant [user] active ==> i <s n;
    invariant [user] hit$1 ==> sext64(4*lid$1 + k.hit$1[31:0] - 3) == watched.a;
    invariant [user] hit$1 ==> k.hit$1[31:0] <u 4;
  {
    // 4: a[4 * lid + i - 3] = f(a[0]);
    loaded = f(a[0]); @1
    havoc choice: choice; @1
    assert ob0: !(sext64(4*lid$2 + i - 3) == watched.a && active && hit$1); @1 // no race on a: thread 1's write in line 4, thread 2's write in line 4
"#;
        assert!(text.contains(expected), "{text}");
    }

    /// A program in which `tid` and `both` have names, and the expected text of its body.
    fn body_with(statements: &str) -> String {
        let text = format!(
            "program \"p\" same-group;\ninput n, x$1: bv32;\nvalue s, t: bv32;\nvalue b, c, d: bool;\ncounter loop0 k: bv64;\n\
             let tid$1 = n * 4 + x$1;\nlet both = b && c;\nlet next = s + 1;\nlet shifted = s + 1 << n;\nbody {{\n{statements}}}\n"
        );
        let program = crate::sequential::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let text = print(&program, &PrintOptions::default());
        text.split("body {\n").nth(1).unwrap_or_default().trim_end().trim_end_matches('}').to_owned()
    }

    #[test]
    fn named_parts_of_sums_and_conjunctions_are_called_by_name() {
        let body =
            body_with("t = 8*n + 2*x$1 + s + 3;\nt = 5 - 4*n - x$1;\nd = c && !d && b;\nwhen b: t = 4*n + x$1;\n");
        let expected = "  let tid$1 = 4*n + x$1;\n  t = 2*tid$1 + s + 3;\n  t = 5 - tid$1;\n  \
                        let both = b && c;\n  d = both && !d;\n  when b: t = tid$1;\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn a_name_is_defined_again_where_its_value_has_changed() {
        let body = body_with("t = (s + 1) & n;\nt = (s + 1) | n;\ns = s + 1;\nt = (s + 1) & n;\n");
        let expected = "  let next = s + 1;\n  t = n & next;\n  t = n | next;\n  s = next;\n  \
                        let next = s + 1;\n  t = n & next;\n";
        assert_eq!(body, expected);
    }

    /// The value of an assignment is spelled out, unless a definition before it mentions it by its
    /// name.
    #[test]
    fn an_assigned_value_is_spelled_out_unless_a_definition_needs_its_name() {
        let body = body_with("when b: t = s + 1;\nwhen (s + 1 << n) == x$1: t = s + 1;\n");
        let expected = "  when b: t = s + 1;\n  let next = s + 1;\n  let shifted = next << n;\n  \
                        when shifted == x$1: t = next;\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn a_loop_names_what_changes_in_it_only_inside() {
        let body = body_with(
            "t = n & (s + 1);\nwhile loop0 (b) counter k active b\n invariant [user] n & (s + 1) == x$1;\n {\n\
             t = n & (s + 1) & (4*n + x$1);\ns = t;\n}\nt = n & (s + 1);\nt = n & (4*n + x$1);\n",
        );
        let expected = "  let next = s + 1;\n  t = n & next;\n  while loop0 (b) counter k active b\n    \
             invariant [user] n & s + 1 == x$1;\n  {\n    let tid$1 = 4*n + x$1;\n    let next = s + 1;\n    \
             t = tid$1 & (n & next);\n    s = t;\n  }\n  let next = s + 1;\n  t = n & next;\n  \
             let tid$1 = 4*n + x$1;\n  t = n & tid$1;\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn shared_expressions_are_printed_once() {
        let mut e = Expressions::new();
        let variable = |e: &mut Expressions, name| {
            let variable = e.add_variable(name, Sort::Bits(32), None, Role::Value);
            e.variable(variable)
        };
        let (x, y) = (variable(&mut e, "x"), variable(&mut e, "y"));
        let mut square = e.binary(BinaryOp::Xor, x, y);
        for _ in 0..200 {
            let shifted = e.binary(BinaryOp::ArithmeticShiftRight, square, y);
            square = e.binary(BinaryOp::UnsignedDivide, square, shifted);
        }
        // As a tree it would have 2^200 leaves.
        assert!(print_expression(&e, square).len() < 10_000);
    }

    #[test]
    fn widths_show_only_where_nothing_tells_them() {
        let mut e = Expressions::new();
        let c = e.add_variable("c", Sort::Boolean, None, Role::Value);
        let x = e.add_variable("x", Sort::Bits(8), None, Role::Value);
        let (c, x) = (e.variable(c), e.variable(x));
        let (one, two) = (e.number(8, 1), e.number(8, 2));
        let chosen = e.if_then_else(c, one, two);
        assert_eq!(print_expression(&e, chosen), "c ? 1bv8 : 2bv8");
        let sum = e.add(chosen, x);
        assert_eq!(print_expression(&e, sum), "(c ? 1 : 2) + x");
        let minus = e.subtract(one, x);
        assert_eq!(print_expression(&e, minus), "1 - x");
        let quotient = e.binary(BinaryOp::UnsignedDivide, x, chosen);
        let negated = e.negate(quotient);
        assert_eq!(print_expression(&e, negated), "-(x /u (c ? 1 : 2))");
    }
}
