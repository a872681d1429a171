//! The words of the text format.

use super::quoted;
use crate::kernel::ElementLayout;
use crate::sequential::{AccessKind, Ground, Pair, Role, Sort, Unknown};

/// A sort.
pub(in crate::sequential) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "bool".into(),
        Sort::Bits(width) => format!("bv{width}"),
        Sort::Map { index, element } => format!("[bv{index}]bv{element}"),
    }
}

/// The ground of a precondition.
pub(in crate::sequential) fn ground_text(ground: &Ground) -> String {
    match ground {
        Ground::Model(words) => quoted(words),
        Ground::Source => "source".to_owned(),
        Ground::Given => "given".to_owned(),
        Ground::Host => "host".to_owned(),
    }
}

pub(super) fn role_text(role: Role) -> String {
    match role {
        Role::Input => "input".into(),
        Role::Watched => "watched".into(),
        Role::Value => "value".into(),
        Role::Predicate => "predicate".into(),
        Role::Ghost => "ghost".into(),
        Role::Counter(looop) => format!("counter {looop}"),
        Role::ExitCounter(looop) => format!("exit {looop}"),
        Role::Hit(site) => format!("hit {site}"),
        Role::Written(site) => format!("written {site}"),
        Role::Recorded(site) => format!("recorded {site}"),
        Role::Contents => "contents".into(),
        Role::Choice => "choice".into(),
    }
}

/// The thread that a variable's name implies.
pub(in crate::sequential) fn thread_of_name(name: &str) -> Option<usize> {
    if name.ends_with("$1") {
        Some(0)
    } else if name.ends_with("$2") {
        Some(1)
    } else {
        None
    }
}

/// An array's declared element behind a comma, if it is known.
pub(super) fn element_text(element: Option<&ElementLayout>) -> String {
    let Some(element) = element else { return String::new() };
    let dimensions: Vec<String> = element.dimensions.iter().map(|size| format!("[{size}]")).collect();
    format!(", element {} of {} bytes{}", quoted(&element.name), element.bytes, dimensions.concat())
}

pub(super) fn thread_text(thread: Option<usize>) -> &'static str {
    match thread {
        None => "both",
        Some(0) => "1",
        Some(_) => "2",
    }
}

pub(super) fn unknown_text(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Load(array) => format!("load {}", quoted(array)),
        Unknown::Atomic(array) => format!("atomic {}", quoted(array)),
        Unknown::Contents(array) => format!("contents {}", quoted(array)),
        Unknown::Undefined => "undefined".into(),
        Unknown::Unmodelled(what) => format!("unmodelled {}", quoted(what)),
        Unknown::Choice => "choice".into(),
    }
}

/// The word for the access of a site to its array.
pub(super) fn access_text(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
        AccessKind::AsyncRead => "async-read",
        AccessKind::AsyncWrite => "async-write",
    }
}

/// The threads that execute in lock-step.
pub(super) fn pair_in_words(pair: Pair) -> &'static str {
    match pair {
        Pair::SameGroup => "Any two threads of one group",
        Pair::DifferentGroups => "Any two threads of different groups",
        Pair::Alone => "A thread that has its group to itself (both threads of the program are this one)",
        Pair::SameThread => "A thread and the copies that it starts (both threads of the program are this one)",
    }
}

/// The explanation of how to read a program.
pub(super) const LEGEND: &[&str] = &[
    "x$1 and x$2 are the copies of thread 1 and thread 2; a name without a number stands for both threads.",
    "at.17$1 says whether thread 1 executes line 17; active.0 who is still in loop0, iteration.0 how many iterations are done.",
    "Races: each array has one watched cell, any. Where thread 1's access touches it, hits.3$1, the site's own variable",
    "(wrote.A.3$1, read.A.3$1) remembers it, with the value written and what else changes (i.at.3$1). Thread 2's accesses",
    "are checked: none may touch the cell while a conflicting access of thread 1 is remembered. Barriers forget.",
    "`let` abbreviates; `when c: x = v;` leaves x as it is unless c; `havoc x` makes x anything; `assert` is to be proved.",
    "<u compares as unsigned, <s as signed numbers, likewise / % >>; zext64(x) is x extended to 64 bits; @7 is location 7.",
];
