//! The next step after a refused construct.
//!
//! The names of constructs begin with their class, which decides. The default depends on the stage:
//! a kernel that was imported can be run.

/// The classes of constructs, by the beginning of their names, with the next step.
const ADVICE: [(&[&str], &str); 9] = [
    (
        &["recursive function", "function that calls itself"],
        "write the recursion as a loop, or leave the function without a body: its result is then any value",
    ),
    (
        &["inline PTX", "inline assembly"],
        "use a function of the language in its place, or put it into a function without a body, whose result is any \
         value",
    ),
    (
        &["call of unknown function", "call through a pointer", "uninterpreted function", "call of "],
        "declare the function with its prototype and without a body: its result is then any value",
    ),
    (
        &["memory that a kernel allocates", "variable that is allocated where"],
        "let the host allocate the memory and pass it as a parameter",
    ),
    (
        &["annotation", "statement about", "barrier invariant", "function-wide invariant"],
        "docs/annotations.md has the forms",
    ),
    (
        &["asynchronous copy", "batches of asynchronous", "phase object"],
        "copy with plain loads and stores and a barrier under a macro (-D), which proves the rest of the kernel",
    ),
    (
        &["named barrier", "cluster", "inline PTX instruction bar"],
        "use the barrier of the group, or split the kernel there into two",
    ),
    (
        &["image", "surface", "sampler"],
        "pass the data as an array under a macro (-D), which proves the rest of the kernel",
    ),
    (&["block for device-side enqueue"], "verify the kernel that is enqueued by itself"),
];

/// The next step after a construct that the import refused.
pub fn not_read(construct: &str) -> &'static str {
    known(construct).unwrap_or(
        "leave the construct out under a macro (-D), or put it into a function without a body, whose result is any value",
    )
}

/// The next step after a construct of a kernel that has been imported.
pub fn not_lowered(construct: &str) -> String {
    let runs = "`lockstep run` executes the kernel and looks for its defects";
    known(construct).map_or_else(
        || format!("{runs}; for a proof, split the kernel there into two"),
        |advice| format!("{advice}; {runs}"),
    )
}

fn known(construct: &str) -> Option<&'static str> {
    let class = ADVICE.iter().find(|(names, _)| names.iter().any(|name| construct.starts_with(name)));
    class.map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_construct_has_a_next_step() {
        assert!(not_read("recursive function fib").contains("as a loop"));
        assert!(not_read("inline PTX instruction foo").contains("without a body"));
        assert!(not_read("a new construct").contains("macro"));
        assert!(not_lowered("batches of asynchronous copies").ends_with("looks for its defects"));
        assert!(not_lowered("a new construct").starts_with("`lockstep run`"));
    }
}
