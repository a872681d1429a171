//! Changes of synchronising operations: a wider scope, or a stronger order.
//!
//! A finding names the lines of operations, and the properties that they lack ([`Lack`]). The
//! property is a word in the call of an operation (`memory_order_relaxed`, `_block`, `.cta`), or
//! the scope in the type of an object. A change replaces the word in the source, and changes the
//! operation in the kernel.
//!
//! *The two changes are the same one*, as far as the text tells. The line has one operation, by
//! the compiler's columns, and one call of a function whose name is that of such an operation. The
//! word is in this call, outside of comments, and in a string only if that is an instruction. A
//! scope in a type must be the only one of the file, and its object be named in the line of each
//! operation with this scope. Macros can deceive this, so nothing is suggested if the name of the
//! operation is not there.

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

/// The beginnings of words for orders: in arguments, and in instructions.
const IN_ARGUMENTS: [&str; 2] = ["memory_order_", "__ATOMIC_"];
const IN_INSTRUCTIONS: [&str; 1] = ["."];

/// The names of member functions that are operations, besides those for atomic reads and writes.
const MEMBERS: [&str; 7] =
    ["load", "store", "exchange", "compare_exchange_weak", "compare_exchange_strong", "test_and_set", "clear"];

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
        let operations = of_line(kernel, file, *line)?;
        let call = only_call(&text)?;
        for (properties, word) in words_of(&call, orders) {
            let change = match word {
                Some((at, old, new)) => Change {
                    replacement: Replacement {
                        file: file.to_owned(),
                        line: *line,
                        column: u32::try_from(at + 1).ok()?,
                        old,
                        new,
                    },
                    operations: operations.iter().map(|at| (*at, properties.clone())).collect(),
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
///
/// Each operation of this scope must be in a line that names the object.
fn change_of_type(kernel: &Kernel, file: &str, sources: &mut Sources) -> Option<Change> {
    let (line, column, object) = only_scope_in_types(file, sources)?;
    let is_meant = |at: &Instruction| {
        let operation = &kernel.instructions[*at].operation;
        matches!(operation, Operation::Atomic { scope: Scope::Group, .. })
    };
    let all: Vec<Instruction> = kernel.instructions.keys().filter(is_meant).collect();
    for at in &all {
        let (line, _) = place(kernel, file, *at)?;
        words(sources.line(file, line)?, &object).next()?;
    }
    let (file, old, new) = (file.to_owned(), IN_TYPES.to_owned(), "thread_scope_device".to_owned());
    Some(Change {
        replacement: Replacement { file, line, column, old, new },
        operations: all.into_iter().map(|at| (at, BTreeSet::from([Order::Scope]))).collect(),
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
        if orders.contains(&Order::Scope) {
            *scope = scope.widened();
        }
        *ordering = stronger(*ordering, orders);
    }
}

/// The order that also has these properties.
fn stronger(ordering: Ordering, orders: &BTreeSet<Order>) -> Ordering {
    ordering.strengthened(orders.contains(&Order::Release), orders.contains(&Order::Acquire))
}

fn scope(kernel: &Kernel, at: Instruction) -> Option<Scope> {
    match &kernel.instructions[at].operation {
        Operation::Atomic { scope, .. } | Operation::Fence { scope, .. } => Some(*scope),
        _ => None,
    }
}

/// The line and column of an operation in a file: of itself, or of the call into a header.
pub fn place(kernel: &Kernel, file: &str, at: Instruction) -> Option<(u32, u32)> {
    let mut place = kernel.instructions[at].location;
    while let Some(location) = place {
        let data = &kernel.locations[location];
        if kernel.files[data.file] == file {
            return Some((data.line, data.column));
        }
        place = data.inlined_at;
    }
    None
}

/// Whether an operation is one by which threads may signal each other: atomic or volatile.
pub fn is_strong(operation: &Operation) -> bool {
    match operation {
        Operation::Atomic { .. } => true,
        Operation::Load(access) | Operation::Store(access, _) => access.volatile,
        _ => false,
    }
}

/// The lines of a file with such operations, and with calls that have them.
pub fn lines(kernel: &Kernel, file: &str, is_meant: impl Fn(&Operation) -> bool) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for data in kernel.instructions.values().filter(|data| is_meant(&data.operation)) {
        let mut place = data.location;
        while let Some(location) = place {
            let data = &kernel.locations[location];
            found.extend((kernel.files[data.file] == file).then_some(data.line));
            place = data.inlined_at;
        }
    }
    found
}

/// The atomic operations and fences of a line, if they come from one operation of the source.
fn of_line(kernel: &Kernel, file: &str, line: u32) -> Option<Vec<Instruction>> {
    let mut columns = BTreeSet::new();
    let mut found = Vec::new();
    for (at, data) in &kernel.instructions {
        let is_ordered = scope(kernel, at).is_some();
        let is_volatile = match &data.operation {
            Operation::Load(access) | Operation::Store(access, _) => access.volatile,
            _ => false,
        };
        if !is_ordered && !is_volatile {
            continue;
        }
        let Some((_, column)) = place(kernel, file, at).filter(|(of, _)| *of == line) else { continue };
        columns.insert(column);
        if is_ordered {
            found.push(at);
        }
    }
    (columns.len() == 1).then_some(found)
}

/// A call of an operation in a line: the position and the name, and those of its arguments.
struct Call<'a> {
    text: &'a str,
    name_at: usize,
    name: &'a str,
    from: usize,
    to: usize,
}

impl Call<'_> {
    fn is_instruction(&self) -> bool {
        ["asm", "__asm__", "__asm"].contains(&self.name)
    }

    /// The positions of a word in the arguments.
    fn words<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        words(self.text, word).filter(|at| (self.from..self.to).contains(at))
    }
}

/// The only call of an operation in a line without comments.
fn only_call(text: &str) -> Option<Call<'_>> {
    if !text.is_ascii() || text.contains("/*") || text.contains("*/") {
        return None;
    }
    let code = text.split("//").next().unwrap_or_default();
    let mut found = code.match_indices('(').filter_map(|(open, _)| {
        let (mut name_at, mut name) = name_before(code, open)?;
        if name == "volatile" || name == "__volatile__" {
            (name_at, name) = name_before(code, name_at)?;
        }
        is_operation(name).then_some((open, name_at, name))
    });
    let (open, name_at, name) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let mut depth = 0_u32;
    let close = code[open..].char_indices().find(|(_, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let call = Call { text: code, name_at, name, from: open, to: open + close?.0 };
    let arguments = &code[call.from..call.to];
    // `membar` has other names for scopes.
    let is_readable = if call.is_instruction() { !arguments.contains("membar") } else { !arguments.contains('"') };
    is_readable.then_some(call)
}

/// The name that ends before a position, apart from white space.
fn name_before(text: &str, end: usize) -> Option<(usize, &str)> {
    let before = text[..end].trim_end();
    let begin = before.rfind(|letter: char| !is_of_name(letter)).map_or(0, |at| at + 1);
    (begin < before.len()).then_some((begin, &before[begin..]))
}

/// Whether functions of this name are atomic operations, fences or instructions.
pub fn is_operation(name: &str) -> bool {
    let begins = ["atomic", "__atomic_", "__hip_atomic_", "__threadfence", "fetch_"];
    MEMBERS.contains(&name)
        || begins.iter().any(|begin| name.starts_with(begin))
        || ["asm", "__asm__", "__asm"].contains(&name)
}

/// A position in a line, the word there, and the word in its place.
type Word = (usize, String, String);

/// The words of a call to replace, each with the properties that it stands for.
fn words_of(call: &Call<'_>, orders: &BTreeSet<Order>) -> Vec<(BTreeSet<Order>, Option<Word>)> {
    let (scope, orders): (BTreeSet<Order>, BTreeSet<Order>) = orders.iter().partition(|order| **order == Order::Scope);
    let mut all = Vec::new();
    if !scope.is_empty() {
        all.push((scope, scope_word(call)));
    }
    if !orders.is_empty() {
        let word = order_word(call, &orders);
        all.push((orders, word));
    }
    all
}

/// The only word of a call that is a scope of a group.
fn scope_word(call: &Call<'_>) -> Option<Word> {
    let (at, name) = (call.name_at, call.name);
    if let Some(wide) = name.strip_suffix(OF_BLOCK) {
        return Some((at, name.to_owned(), wide.to_owned()));
    }
    let is_fit = |word: &str| word.starts_with('.') == call.is_instruction();
    let all = SCOPES.iter().filter(|(old, _)| is_fit(old));
    let all = all.flat_map(|(old, new)| call.words(old).map(move |at| (at, (*old).to_owned(), (*new).to_owned())));
    only(all.collect())
}

/// The only word of a call that is an order, or the first one of a compare-and-swap.
fn order_word(call: &Call<'_>, orders: &BTreeSet<Order>) -> Option<Word> {
    let names = [
        ("relaxed", Ordering::Relaxed),
        ("acquire", Ordering::Acquire),
        ("release", Ordering::Release),
        ("acq_rel", Ordering::AcquireRelease),
    ];
    let begins: &[&str] = if call.is_instruction() { &IN_INSTRUCTIONS } else { &IN_ARGUMENTS };
    let mut all = Vec::new();
    for begin in begins {
        let spelled = |name: &str| match *begin {
            "__ATOMIC_" => format!("{begin}{}", name.to_uppercase()),
            _ => format!("{begin}{name}"),
        };
        for (name, ordering) in names {
            let wanted = stronger(ordering, orders);
            let new = names.iter().find(|(_, of)| *of == wanted).map(|(name, _)| spelled(name))?;
            let old = spelled(name);
            all.extend(call.words(&old).map(|at| (at, old.clone(), new.clone())));
        }
    }
    all.sort();
    // The second order of a compare-and-swap is that of its failure.
    if call.name.contains("compare_exchange") {
        all.truncate(1);
    }
    only(all).filter(|(_, old, new)| old != new)
}

/// The word, if it is the only one.
fn only(all: Vec<Word>) -> Option<Word> {
    let [word] = <[_; 1]>::try_from(all).ok()?;
    Some(word)
}

/// The positions of a word in a text.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back().is_some_and(is_of_name);
        let behind = text[at + word.len()..].chars().next().is_some_and(is_of_name);
        !behind && (word.starts_with('.') || !before)
    })
}

pub fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The place of the only scope of a block in a file, and the object in whose type it is.
fn only_scope_in_types(file: &str, sources: &mut Sources) -> Option<(u32, u32, String)> {
    let text = sources.text(file)?;
    let is_elsewhere = SCOPES.iter().any(|(word, _)| *word != IN_TYPES && text.contains(word));
    if is_elsewhere || text.contains(OF_BLOCK) && text.matches(OF_BLOCK).count() != 1 {
        return None;
    }
    let (line, content) = (1..).zip(text.lines()).find(|(_, line)| line.contains(IN_TYPES))?;
    let code = content.split("//").next().unwrap_or_default();
    let at = words(code, IN_TYPES).next()?;
    let is_plain = code.is_ascii() && !code.contains("/*") && !code.contains("*/") && !code.contains('"');
    if !is_plain || ["typedef", "using", "#"].iter().any(|word| code.contains(word)) {
        return None;
    }
    let behind = code[at + IN_TYPES.len()..].trim_start().strip_prefix('>')?;
    let object = behind.trim_start_matches(|letter: char| " *&".contains(letter));
    let object: String = object.chars().take_while(|letter| is_of_name(*letter)).collect();
    (!object.is_empty()).then_some((line, u32::try_from(at + 1).ok()?, object))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, orders: &[Order]) -> Vec<Option<Word>> {
        let Some(call) = only_call(text) else { return Vec::new() };
        words_of(&call, &orders.iter().copied().collect()).into_iter().map(|(_, word)| word).collect()
    }

    fn changed(at: usize, old: &str, new: &str) -> Word {
        (at, old.to_owned(), new.to_owned())
    }

    #[test]
    fn scopes_are_those_of_the_only_call() {
        let fence = word("    __threadfence_block();", &[Order::Scope]);
        assert_eq!(fence, [Some(changed(4, "__threadfence_block", "__threadfence"))]);
        let add = word("x = atomicAdd_block (&n, 1); // thread_scope_block", &[Order::Scope]);
        assert_eq!(add, [Some(changed(4, "atomicAdd_block", "atomicAdd"))]);
        let none = [
            "my__threadfence_block(); n_block(1);",
            "__threadfence_block(); __threadfence_block();",
            "SET(flag); // __threadfence_block()",
            "SET(flag); /* __threadfence_block() */",
            "asm volatile(\"membar.cta;\");",
            "/* \u{2192} */ \u{2192}_block(1);",
        ];
        for text in none {
            assert_eq!(word(text, &[Order::Scope]), [], "{text}");
        }
        assert_eq!(word("Ref(f.cta).store(1);", &[Order::Scope]), [None], "it is a member");
        assert_eq!(word("__threadfence(); ", &[Order::Scope]), [None]);
    }

    #[test]
    fn orders_are_joined() {
        let relaxed = "f.store(1, cuda::memory_order_relaxed);";
        assert_eq!(
            word(relaxed, &[Order::Release]),
            [Some(changed(17, "memory_order_relaxed", "memory_order_release"))]
        );
        let acquire = "f.fetch_add(1, memory_order_acquire);";
        assert_eq!(
            word(acquire, &[Order::Release]),
            [Some(changed(15, "memory_order_acquire", "memory_order_acq_rel"))]
        );
        assert_eq!(word(acquire, &[Order::Acquire]), [None], "it is one already");
        assert_eq!(word("atomicExch(f, 1); // memory_order_relaxed", &[Order::Release]), [None], "a comment");
        let exchange = "atomic_compare_exchange_strong_explicit(f, &e, 1, memory_order_relaxed, memory_order_relaxed)";
        let replaced = changed(50, "memory_order_relaxed", "memory_order_acquire");
        assert_eq!(word(exchange, &[Order::Acquire]), [Some(replaced)]);
        let both = word("asm(\"st.relaxed.cta.u32 [%0], 1;\")", &[Order::Release, Order::Scope]);
        assert_eq!(both, [Some(changed(15, ".cta", ".gpu")), Some(changed(7, ".relaxed", ".release"))]);
    }
}
