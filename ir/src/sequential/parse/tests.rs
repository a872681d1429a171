//! Printed programs parse to themselves, and errors are reported at their places.

use super::*;
use crate::sequential::testing::{Random, Trees, random_program, sample};
use crate::sequential::{PrintOptions, print, print_expression};

#[track_caller]
fn assert_round_trip(program: &Program) {
    let text = print(program, &PrintOptions::default());
    let mut read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{}", numbered(&text)));
    pretty_equal(&text, &print(&read, &PrintOptions::default()));
    // With all names spelled out, it is still the same program.
    let mut plain = program.clone();
    plain.expressions.forget_names();
    read.expressions.forget_names();
    pretty_equal(&print(&plain, &PrintOptions::default()), &print(&read, &PrintOptions::default()));
}

#[track_caller]
fn pretty_equal(text: &str, again: &str) {
    for (number, (a, b)) in text.lines().zip(again.lines()).enumerate() {
        assert_eq!(a, b, "line {} of\n{}", number + 1, numbered(text));
    }
    assert_eq!(text, again);
}

fn numbered(text: &str) -> String {
    (1..).zip(text.lines()).map(|(number, line)| format!("{number:4} {line}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_sample_is_read_as_it_was_printed() {
    assert_round_trip(&sample());
}

#[test]
fn random_programs_are_read_as_they_were_printed() {
    for seed in 0..300 {
        assert_round_trip(&random_program(seed));
    }
}

/// Within one arena, parsing a printed expression gives the same expression, not only the same
/// text.
#[test]
fn expressions_are_read_as_they_were_printed() {
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let mut trees = Trees::new();
        let sort = random.sort();
        let depth = 2 + random.below(4);
        let tree = trees.tree(&mut random, sort, depth);
        let built = trees.build(&tree);
        let text = print_expression(&trees.expressions, built);
        let mut parser = Parser::new(tokens(&text).unwrap());
        for (function, data) in trees.expressions.functions() {
            parser.functions.insert(data.name.clone(), function);
        }
        parser.program.expressions = trees.expressions;
        while parser.accept_word("let") {
            parser.definition().unwrap();
        }
        let read = parser.expression(None).unwrap_or_else(|error| panic!("{error} in {text}"));
        assert_eq!(*parser.peek(), Token::End, "{text}");
        let again = print_expression(&parser.program.expressions, read);
        assert_eq!(read, built, "seed {seed}: {text}\nbecame {again}\nof {tree:?}");
    }
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let error = |text: &str| {
        let error = parse(&format!("program \"p\" same-group;\n{text}")).unwrap_err();
        format!("{}: {}", error.line, error.message)
    };
    let declared = "input x: bv32;\ninput b: bool;\n";
    assert_eq!(error("value x: bv0;"), "2: a sort such as `bv32` expected, `bv0` found");
    assert_eq!(error(&format!("{declared}body {{\n  x = y;\n}}")), "5: there is no variable or definition `y`");
    assert_eq!(error(&format!("{declared}body {{\n  x = b;\n}}")), "5: bv32 expected, bool found");
    assert!(error(&format!("{declared}require 1 == 2 because \"x\";")).starts_with("4: the width of 1 is not known"));
    assert_eq!(error(&format!("{declared}require x < 2 because \"x\";")), "4: `<` needs a sign: `<u` or `<s`");
    assert_eq!(
        error(&format!("{declared}require x <u 4294967296 because \"\";")),
        "4: 4294967296 has more than 32 bits"
    );
    assert_eq!(error(&format!("{declared}let x = b;")), "4: `x` is a variable already");
    assert_eq!(
        error(&format!("{declared}let i = x + 1;\nlet i = x + 1;\nlet i = x;")),
        "6: `i` was defined as something else"
    );
    assert!(error("require \"a").contains("a quote is not closed"), "{}", error("require \"a"));
    assert!(error(&format!("require {}", "(".repeat(100_000))).contains("deeply"));
}
