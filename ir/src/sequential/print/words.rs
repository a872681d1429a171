//! The words of the text format.

use super::quoted;
use crate::sequential::{AccessKind, Role, Sort, Unknown};

/// A sort.
pub(in crate::sequential) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "bool".into(),
        Sort::Bits(width) => format!("bv{width}"),
        Sort::Map { index, element } => format!("[bv{index}]bv{element}"),
    }
}

pub(super) fn role_text(role: Role) -> String {
    match role {
        Role::Input => "input".into(),
        Role::Watched => "watched".into(),
        Role::Value => "value".into(),
        Role::Predicate => "predicate".into(),
        Role::Counter(looop) => format!("counter {looop}"),
        Role::ExitCounter(looop) => format!("exit {looop}"),
        Role::Hit(site) => format!("hit {site}"),
        Role::Written(site) => format!("written {site}"),
        Role::Recorded(site) => format!("recorded {site}"),
        Role::Contents => "contents".into(),
        Role::Choice => "choice".into(),
    }
}

/// The thread that a variable's name shows.
pub(in crate::sequential) fn thread_of_name(name: &str) -> Option<usize> {
    if name.ends_with("$1") {
        Some(0)
    } else if name.ends_with("$2") {
        Some(1)
    } else {
        None
    }
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

/// How a site accesses its array, in a word.
pub(super) fn access_text(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
        AccessKind::AsyncRead => "async-read",
        AccessKind::AsyncWrite => "async-write",
    }
}
