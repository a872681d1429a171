//! Changes of synchronising operations: a wider scope, or a stronger order.
//!
//! A finding names the lines of operations, and the properties that they lack ([`Lack`]). The
//! property is a word of such a line (`memory_order_relaxed`, `_block`, `.cta`), or the scope in
//! the type of an object. A change replaces the word in the source. In the kernel, it changes all
//! operations of the line, which come from one word if the line has only one. A word in a type
//! must be the only one of the file, and then stands for all atomic operations of that scope.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Instruction, Kernel, Operation, Ordering, Scope};

use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::fix::Replacement;
use crate::verdict::lack::{Lack, Order};

/// Words for a scope of a group, each with the word for that of the device.
const SCOPES: [(&str, &str); 5] = [
    ("__threadfence_block", "__threadfence"),
    ("memory_scope_work_group", "memory_scope_device"),
    ("__HIP_MEMORY_SCOPE_WORKGROUP", "__HIP_MEMORY_SCOPE_AGENT"),
    (IN_TYPES, "thread_scope_device"),
    (".cta", ".gpu"),
];

/// The scope in the type of an object.
const IN_TYPES: &str = "thread_scope_block";

/// The end of names such as `atomicAdd_block`.
const OF_BLOCK: &str = "_block";

/// The beginnings of words for orders.
const ORDERS: [&str; 3] = ["memory_order_", "__ATOMIC_", "."];

/// A change of operations in the kernel and in the source.
#[derive(Clone, Debug)]
pub struct Change {
    pub replacement: Replacement,
    /// The operations, with the properties that they get.
    pub operations: Vec<(Instruction, BTreeSet<Order>)>,
}

/// The changes that give all named operations what they lack; `None` if the source has no word for
/// one of them.
pub fn changes(kernel: &Kernel, races: &[&Finding], file: &str, sources: &mut Sources) -> Option<Vec<Change>> {
    let mut lines: BTreeMap<u32, BTreeSet<Order>> = BTreeMap::new();
    for lack in races.iter().flat_map(|race| &race.lacks) {
        let Lack { file: of, line, order } = lack;
        lines.entry(*line).or_default().insert(*order);
        if of != file {
            return None;
        }
    }
    let mut found: Vec<Change> = Vec::new();
    for (line, orders) in &lines {
        let text = sources.line(file, *line)?.to_owned();
        for (properties, word) in words_of(&text, orders) {
            let change = match word {
                Some((column, old, new)) => Change {
                    replacement: Replacement { file: file.to_owned(), line: *line, column, old, new },
                    operations: of_line(kernel, file, *line).map(|at| (at, properties.clone())).collect(),
                },
                None if properties.contains(&Order::Scope) => change_of_type(kernel, file, sources)?,
                None => return None,
            };
            if !found.iter().any(|known| known.replacement == change.replacement) {
                found.push(change);
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The change of the only scope of a group in a file, if it is in the type of an object.
fn change_of_type(kernel: &Kernel, file: &str, sources: &mut Sources) -> Option<Change> {
    let (line, column) = only_scope_in_types(file, sources)?;
    let is_meant = |at: &Instruction| {
        let operation = &kernel.instructions[*at].operation;
        matches!(operation, Operation::Atomic { scope: Scope::Group, .. })
    };
    let all = kernel.instructions.keys().filter(is_meant);
    let (file, old, new) = (file.to_owned(), IN_TYPES.to_owned(), "thread_scope_device".to_owned());
    Some(Change {
        replacement: Replacement { file, line, column, old, new },
        operations: all.map(|at| (at, BTreeSet::from([Order::Scope]))).collect(),
    })
}

/// Gives operations the properties.
pub fn change(kernel: &mut Kernel, operations: &[(Instruction, BTreeSet<Order>)]) {
    for (at, orders) in operations {
        let (Operation::Atomic { ordering, scope, .. } | Operation::Fence { ordering, scope, .. }) =
            &mut kernel.instructions[*at].operation
        else {
            continue;
        };
        if orders.contains(&Order::Scope) && *scope != Scope::System {
            *scope = Scope::Device;
        }
        *ordering = stronger(*ordering, orders);
    }
}

/// The order that also has these properties.
fn stronger(ordering: Ordering, orders: &BTreeSet<Order>) -> Ordering {
    let releases = ordering.releases() || orders.contains(&Order::Release);
    let acquires = ordering.acquires() || orders.contains(&Order::Acquire);
    match (ordering, releases, acquires) {
        (Ordering::SequentiallyConsistent, ..) | (_, false, false) => ordering,
        (_, true, true) => Ordering::AcquireRelease,
        (_, true, false) => Ordering::Release,
        (_, false, true) => Ordering::Acquire,
    }
}

fn scope(kernel: &Kernel, at: Instruction) -> Option<Scope> {
    match &kernel.instructions[at].operation {
        Operation::Atomic { scope, .. } | Operation::Fence { scope, .. } => Some(*scope),
        _ => None,
    }
}

/// The atomic operations and fences of a line, also those in functions of headers that it calls.
fn of_line<'a>(kernel: &'a Kernel, file: &'a str, line: u32) -> impl Iterator<Item = Instruction> + 'a {
    let is_there = move |at: &Instruction| {
        let mut place = kernel.instructions[*at].location;
        while let Some(location) = place {
            let data = &kernel.locations[location];
            if kernel.files[data.file] == file {
                return data.line == line;
            }
            place = data.inlined_at;
        }
        false
    };
    let all = kernel.instructions.keys();
    all.filter(move |at| scope(kernel, *at).is_some()).filter(is_there)
}

/// A column, the word there, and the word in its place.
type Word = (u32, String, String);

/// The words of a line to replace, each with the properties that it stands for.
fn words_of(text: &str, orders: &BTreeSet<Order>) -> Vec<(BTreeSet<Order>, Option<Word>)> {
    let (scope, orders): (BTreeSet<Order>, BTreeSet<Order>) = orders.iter().partition(|order| **order == Order::Scope);
    let mut all = Vec::new();
    if !scope.is_empty() {
        all.push((scope, scope_word(text)));
    }
    if !orders.is_empty() {
        let word = order_word(text, &orders);
        all.push((orders, word));
    }
    all
}

/// The only word of a line that is a scope of a group.
fn scope_word(text: &str) -> Option<Word> {
    let of_tables = SCOPES.iter().flat_map(|(old, new)| words(text, old).map(move |at| (at, *old, (*new).to_owned())));
    let mut all: Vec<(usize, String, String)> = of_tables.map(|(at, old, new)| (at, old.to_owned(), new)).collect();
    for (end, _) in text.match_indices(OF_BLOCK) {
        let begin = text[..end].rfind(|letter: char| !is_of_name(letter)).map_or(0, |at| at + 1);
        let name = &text[begin..end];
        if name.starts_with("atomic") && text[end + OF_BLOCK.len()..].starts_with('(') {
            all.push((begin, format!("{name}{OF_BLOCK}"), name.to_owned()));
        }
    }
    only(text, all)
}

/// The first word of a line that is an order, or the only one if it is part of an instruction.
fn order_word(text: &str, orders: &BTreeSet<Order>) -> Option<Word> {
    let names = [
        ("relaxed", Ordering::Relaxed),
        ("acquire", Ordering::Acquire),
        ("release", Ordering::Release),
        ("acq_rel", Ordering::AcquireRelease),
    ];
    let mut all = Vec::new();
    for begin in ORDERS {
        let spelled = |name: &str| match begin {
            "__ATOMIC_" => format!("{begin}{}", name.to_uppercase()),
            _ => format!("{begin}{name}"),
        };
        for (name, ordering) in names {
            let wanted = stronger(ordering, orders);
            let new = names.iter().find(|(_, of)| *of == wanted).map(|(name, _)| spelled(name))?;
            let old = spelled(name);
            all.extend(words(text, &old).filter(|_| new != old).map(|at| (at, old.clone(), new.clone())));
        }
    }
    all.sort();
    // The second order of a compare-and-swap is that of its failure.
    if text.contains("compare_exchange") {
        all.truncate(1);
    }
    only(text, all)
}

/// The word, if it is the only one.
fn only(text: &str, all: Vec<(usize, String, String)>) -> Option<Word> {
    let [(at, old, new)] = <[_; 1]>::try_from(all).ok()?;
    // Columns count letters, positions bytes.
    text[..at].is_ascii().then_some((u32::try_from(at + 1).ok()?, old, new))
}

/// The positions of a word in a text.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back().is_some_and(is_of_name);
        let behind = text[at + word.len()..].chars().next().is_some_and(is_of_name);
        !behind && (word.starts_with('.') || !before)
    })
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The place of the only scope of a block in a file, if it is in a type.
fn only_scope_in_types(file: &str, sources: &mut Sources) -> Option<(u32, u32)> {
    let text = sources.text(file)?;
    let is_elsewhere = SCOPES.iter().any(|(word, _)| *word != IN_TYPES && words(text, word).next().is_some());
    if is_elsewhere || text.contains("_block(") {
        return None;
    }
    let mut found = (1..).zip(text.lines()).flat_map(|(number, line)| {
        let ascii = move |at: &usize| line[..*at].is_ascii();
        words(line, IN_TYPES).filter(ascii).map(move |at| (number, at)).collect::<Vec<_>>()
    });
    let (line, at) = found.next()?;
    found.next().is_none().then_some((line, u32::try_from(at + 1).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, orders: &[Order]) -> Vec<Option<Word>> {
        words_of(text, &orders.iter().copied().collect()).into_iter().map(|(_, word)| word).collect()
    }

    fn changed(at: u32, old: &str, new: &str) -> Word {
        (at, old.to_owned(), new.to_owned())
    }

    #[test]
    fn scopes_are_whole_words() {
        let fence = word("    __threadfence_block();", &[Order::Scope]);
        assert_eq!(fence, [Some(changed(5, "__threadfence_block", "__threadfence"))]);
        assert_eq!(
            word("x = atomicAdd_block(&n, 1);", &[Order::Scope]),
            [Some(changed(5, "atomicAdd_block", "atomicAdd"))]
        );
        assert_eq!(word("my__threadfence_block(); n_block(1);", &[Order::Scope]), [None]);
        assert_eq!(word("__threadfence_block(); __threadfence_block();", &[Order::Scope]), [None], "one is meant");
    }

    #[test]
    fn orders_are_joined() {
        let relaxed = "f.store(1, cuda::memory_order_relaxed);";
        assert_eq!(
            word(relaxed, &[Order::Release]),
            [Some(changed(18, "memory_order_relaxed", "memory_order_release"))]
        );
        let acquire = "f.fetch_add(1, memory_order_acquire);";
        assert_eq!(
            word(acquire, &[Order::Release]),
            [Some(changed(16, "memory_order_acquire", "memory_order_acq_rel"))]
        );
        assert_eq!(word(acquire, &[Order::Acquire]), [None], "it is one already");
        let exchange = "atomic_compare_exchange_strong_explicit(f, &e, 1, memory_order_relaxed, memory_order_relaxed)";
        let replaced = changed(51, "memory_order_relaxed", "memory_order_acquire");
        assert_eq!(word(exchange, &[Order::Acquire]), [Some(replaced)]);
        let both = word("asm(\"st.relaxed.cta.u32 [%0], 1;\")", &[Order::Release, Order::Scope]);
        assert_eq!(both, [Some(changed(16, ".cta", ".gpu")), Some(changed(8, ".relaxed", ".release"))]);
    }
}
