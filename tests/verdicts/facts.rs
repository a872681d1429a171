//! The facts that each analysis finds, in words: the expectations of `tests/analyses/`.

use std::collections::BTreeSet;

use crate::analyses::{Facts, Subject, values};
use crate::harness::Failure;

use lockstep::analysis::accesses::for_each_access;
use lockstep::analysis::addresses::{addresses, indices};
use lockstep::analysis::alignment::{divisors, divisors_of_ids};
use lockstep::analysis::counters::{Apart, counters};
use lockstep::analysis::draws::{Count, Threads, executions};
use lockstep::analysis::equations::equations;
use lockstep::analysis::fences::might_order;
use lockstep::analysis::initialised::initialised;
use lockstep::analysis::intervals::{Intervals, intervals};
use lockstep::analysis::mixed::mixed_arrays;
use lockstep::analysis::need::needed;
use lockstep::analysis::order::OrderedValues;
use lockstep::analysis::placement::misplaced;
use lockstep::analysis::pointers::{PointsTo, Targets, points_to};
use lockstep::analysis::repeated::Repeated;
use lockstep::analysis::strides::launch_strides;
use lockstep::analysis::uniformity::uniformity;
use lockstep::analysis::volatile::volatile_data;
use lockstep::analysis::word_facts::Words;
use lockstep::analysis::written::written;
use lockstep::launch::{Extent, known_product};
use lockstep_invariants::Word;
use lockstep_ir::kernel::{Array, Block, Instruction, Needs, Operation, Space, ThreadQuery, Type, Value};
use lockstep_ir::sequential::Pair;

/// Finds the facts of the analysis in the module of this name.
pub fn find(analysis: &str, subject: &Subject, facts: &mut Facts) -> Result<(), Failure> {
    match analysis {
        "accesses" => of_accesses(subject, facts),
        "addresses" => of_addresses(subject, facts),
        "alignment" => of_alignment(subject, facts),
        "counters" => of_counters(subject, facts),
        "draws" => of_draws(subject, facts),
        "equations" => of_equations(subject, facts),
        "fences" => of_fences(subject, facts),
        "initialised" => of_initialised(subject, facts),
        "intervals" => of_intervals(subject, facts),
        "need" => of_need(subject, facts),
        "order" => of_order(subject, facts),
        "placement" => of_placement(subject, facts),
        "pointers" => of_pointers(subject, facts),
        "repeated" => of_repeated(subject, facts),
        "strides" => of_strides(subject, facts),
        "mixed" => mixed_arrays(&subject.kernel).iter().for_each(|array| facts.state(array, "mixed")),
        "structure" => of_structure(subject, facts),
        "uniformity" => of_uniformity(subject, facts),
        "volatile" => volatile_data(&subject.kernel).iter().for_each(|access| facts.state(access, "data")),
        "word_facts" => of_word_facts(subject, facts),
        "written" => of_written(subject, facts),
        other => return Err(format!("no analysis is called {other}").into()),
    }
    Ok(())
}

fn of_order(subject: &Subject, facts: &mut Facts) {
    let found = OrderedValues::of(&subject.kernel);
    found.values.iter().for_each(|value| facts.state(value, "ordered"));
    found.arrays.iter().for_each(|array| facts.state(array, "has ordered elements"));
    found.blocks.iter().for_each(|block| facts.state(block, "behind an ordered branch"));
}

fn of_equations(subject: &Subject, facts: &mut Facts) {
    let found = equations(&subject.kernel);
    for (index, value) in found.parameters {
        facts.state("kernel", format!("{} is {}", subject.kernel.parameters[index as usize].name, value.signed()));
    }
    for (dimension, size) in found.local_sizes {
        facts.state("kernel", format!("local size {dimension} is {size}"));
    }
    for (dimension, size) in found.num_groups {
        facts.state("kernel", format!("number of groups {dimension} is {size}"));
    }
}

impl Subject {
    fn instructions(&self) -> impl Iterator<Item = Instruction> {
        self.structure.order.iter().flat_map(|&block| self.kernel.blocks[block].instructions.iter().copied())
    }

    fn loads(&self) -> impl Iterator<Item = Instruction> {
        self.instructions().filter(|&load| matches!(self.kernel.instructions[load].operation, Operation::Load(_)))
    }

    /// The arrays that some thread may write.
    fn written(&self, points_to: &PointsTo) -> BTreeSet<Array> {
        let mut written = BTreeSet::new();
        for instruction in self.instructions() {
            let data = &self.kernel.instructions[instruction];
            for_each_access(&self.kernel, &data.operation, data.result, |access| {
                if access.writes {
                    written.extend(&points_to[access.pointer].arrays);
                }
            });
        }
        written
    }

    /// The answers to a query in all threads of the launch.
    fn answers(&self, query: ThreadQuery) -> Option<Word> {
        let size = |sizes: &[Extent; 3], dimension: u8| match sizes[usize::from(dimension)] {
            Extent::Known(size) => Some(u64::from(size)),
            Extent::Open => None,
        };
        let bits = self.kernel.pointer_bits;
        match query {
            ThreadQuery::LocalId(d) => Word::between(bits, 0, size(&self.launch.local_size, d)? - 1),
            ThreadQuery::GroupId(d) => Word::between(bits, 0, size(&self.launch.num_groups, d)? - 1),
            ThreadQuery::LocalSize(d) => Some(Word::exactly(bits, size(&self.launch.local_size, d)?)),
            ThreadQuery::NumGroups(d) => Some(Word::exactly(bits, size(&self.launch.num_groups, d)?)),
            _ => None,
        }
    }
}

fn listed<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

fn of_accesses(subject: &Subject, facts: &mut Facts) {
    for instruction in subject.instructions() {
        let data = &subject.kernel.instructions[instruction];
        for_each_access(&subject.kernel, &data.operation, data.result, |access| {
            let flags =
                [(access.atomic, " atomic"), (access.asynchronous, " asynchronous"), (access.volatile, " volatile")];
            let flags: String = flags.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
            let verb = if access.writes { "writes" } else { "reads" };
            let bytes = access.bytes.map_or("some bytes".to_owned(), |bytes| format!("{bytes} bytes"));
            let needs = match access.needs {
                Needs::Everything => "",
                Needs::Something => " copies",
                Needs::Nothing => " keeps",
            };
            let (pointer, alignment) = (access.pointer, access.alignment);
            facts.state(instruction, format!("{verb} {bytes} at {pointer} align {alignment}{flags}{needs}"));
        });
    }
}

fn of_addresses(subject: &Subject, facts: &mut Facts) {
    let kernel = &subject.kernel;
    let (only, indices) = (addresses(kernel, &subject.structure), indices(kernel, &subject.structure));
    for value in values(subject) {
        if let Some(accesses) = only.only_of(value) {
            let mut pointers = Vec::new();
            for &access in accesses {
                let data = &kernel.instructions[access];
                for_each_access(kernel, &data.operation, data.result, |shape| pointers.push(shape.pointer));
            }
            facts.state(value, format!("only for {}", listed(pointers)));
        } else {
            facts.state(value, "has other effects");
        }
        if indices.contains(value) {
            facts.state(value, "index");
        }
    }
}

fn of_alignment(subject: &Subject, facts: &mut Facts) {
    let (kernel, order) = (&subject.kernel, &subject.structure.order);
    let (all, ids) = (divisors(kernel, order), divisors_of_ids(kernel, order));
    for value in values(subject).into_iter().filter(|&value| is_number(subject, value)) {
        facts.state(value, format!("multiple of {}", power(all[value])));
        if ids[value] != all[value] {
            facts.state(value, format!("of {} if data is aligned", power(ids[value])));
        }
    }
}

fn is_number(subject: &Subject, value: Value) -> bool {
    matches!(subject.kernel.ty(value), Type::Bits(_) | Type::Pointer(_))
}

fn power(number: u64) -> String {
    if number < 1 << 32 { number.to_string() } else { "2^32".to_owned() }
}

fn of_counters(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, launch } = subject;
    for (array, counter) in counters(kernel, structure, &points_to(kernel)) {
        facts.state(array, format!("counter of step {}", counter.step.unsigned()));
        if counter.is_set {
            facts.state(array, "set");
        }
        facts.state(array, format!("drawn from in {}", listed(&counter.draws)));
        facts.state(
            array,
            match counter.tells_apart(kernel, structure, kernel.arrays[array].space, launch) {
                Apart::Always => "numbers differ".to_owned(),
                Apart::IfAtMost(limit) => format!("numbers differ if at most {limit}"),
                Apart::Not => "numbers repeat".to_owned(),
            },
        );
    }
    for array in kernel.arrays.keys().filter(|&array| !facts.has(array)).collect::<Vec<_>>() {
        facts.state(array, "no counter");
    }
}

fn of_draws(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, launch } = subject;
    let sharing = |space| {
        let Threads { most, usual } = Threads::sharing(space, launch);
        format!("at most {most} threads, usually {usual}")
    };
    facts.state("kernel", format!("group of {}", sharing(Space::Local)));
    facts.state("kernel", format!("launch of {}", sharing(Space::Global)));
    for &block in &structure.order {
        let Count { most, usual } = executions(kernel, structure, block, |_| false);
        let most = most.map_or("any number of executions".to_owned(), |most| format!("at most {most} executions"));
        facts.state(block, format!("{most}, usually {usual}"));
    }
}

fn of_fences(subject: &Subject, facts: &mut Facts) {
    let locations: Vec<_> = subject.kernel.locations.keys().collect();
    for (index, &one) in locations.iter().enumerate() {
        for &other in &locations[index..] {
            if let Some(fence) = might_order(&subject.kernel, one, other) {
                facts.state(one, format!("perhaps ordered with {other} by {fence}"));
            }
        }
        if !facts.has(one) {
            facts.state(one, "not ordered with later places");
        }
    }
}

fn of_initialised(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, .. } = subject;
    let initialised = initialised(kernel, structure, &points_to(kernel));
    for load in subject.loads() {
        facts.state(load, if initialised.unsure(load) { "may read what nobody wrote" } else { "sure" });
    }
}

fn intervals_of(subject: &Subject, points_to: &PointsTo, pair: Pair) -> Intervals {
    intervals(&subject.kernel, &subject.structure, points_to, pair, &|_| true, false)
}

const PAIRS: [(Pair, &str); 2] = [(Pair::SameGroup, "in a group"), (Pair::DifferentGroups, "between groups")];

fn of_intervals(subject: &Subject, facts: &mut Facts) {
    let points_to = points_to(&subject.kernel);
    for (pair, words) in PAIRS {
        let intervals = intervals_of(subject, &points_to, pair);
        for array in subject.kernel.arrays.keys() {
            let level = match (intervals.reads_back(array), intervals.follows(array)) {
                (true, _) => "own writes",
                (false, true) => "interval values",
                (false, false) => "adversarial",
            };
            facts.state(array, format!("{level} {words}"));
        }
        for load in subject.loads() {
            let clean: Vec<Array> =
                subject.kernel.arrays.keys().filter(|&array| intervals.clean(load, array)).collect();
            let fact = if clean.is_empty() { "dirty".to_owned() } else { format!("clean for {}", listed(clean)) };
            facts.state(load, format!("{fact} {words}"));
        }
    }
}

fn of_need(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, .. } = subject;
    let needed = needed(kernel, structure, &points_to(kernel));
    for value in values(subject) {
        facts.state(value, if needed.value(value) { "needed" } else { "not needed" });
    }
}

fn of_placement(subject: &Subject, facts: &mut Facts) {
    match misplaced(&subject.kernel, &subject.structure) {
        Some(misplaced) => match misplaced.location {
            Some(location) => facts.state(location, misplaced.message),
            None => facts.state("kernel", misplaced.message),
        },
        None => facts.state("kernel", "all annotations are in place"),
    }
}

fn of_pointers(subject: &Subject, facts: &mut Facts) {
    let points_to = points_to(&subject.kernel);
    for value in values(subject) {
        if !matches!(subject.kernel.ty(value), Type::Pointer(_)) {
            continue;
        }
        let Targets { arrays, null, unknown, elsewhere } = &points_to[value];
        facts.state(value, format!("{{{}}}", listed(arrays)));
        for (_, word) in [(null, "null"), (unknown, "unknown"), (elsewhere, "elsewhere")].iter().filter(|(is, _)| **is)
        {
            facts.state(value, word);
        }
    }
}

fn of_repeated(subject: &Subject, facts: &mut Facts) {
    let repeated = Repeated::of(&subject.kernel, &subject.structure);
    for instruction in subject.instructions() {
        let first = repeated.write(instruction).map(|first| &subject.kernel.instructions[first].operation);
        match (&subject.kernel.instructions[instruction].operation, first) {
            (Operation::Load(_), _) if repeated.is_read(instruction) => facts.state(instruction, "repeats a read"),
            (Operation::Store(..), Some(Operation::Store(access, value))) => {
                facts.state(instruction, format!("repeats the write of {value} to {}", access.pointer));
            }
            (Operation::Load(_) | Operation::Store(..), _) => facts.state(instruction, "first"),
            _ => {}
        }
    }
}

fn of_strides(subject: &Subject, facts: &mut Facts) {
    let strides = launch_strides(&subject.kernel, &subject.structure);
    if strides.is_empty() {
        facts.state("kernel", "no stride of the launch");
    }
    for (sum, stride) in strides {
        let kind = if stride.signed { "signed" } else { "unsigned" };
        facts.state(sum, format!("{kind} {} goes up to {}", stride.counter, listed(&stride.bounds)));
    }
}

fn of_structure(subject: &Subject, facts: &mut Facts) {
    let structure = &subject.structure;
    facts.state("kernel", format!("order {}", listed(&structure.order)));
    for &block in &structure.order {
        for index in structure.loops_around(block) {
            let word = if structure.loops[index].header == block { "head of" } else { "in" };
            facts.state(block, format!("{word} loop {index}"));
        }
        let predecessors = &structure.predecessors[block];
        let (back, forward): (Vec<Block>, Vec<Block>) =
            predecessors.iter().partition(|&&from| structure.is_back_edge(from, block));
        for (edges, word) in [(forward, "from"), (back, "back from")].iter().filter(|(edges, _)| !edges.is_empty()) {
            facts.state(block, format!("{word} {}", listed(edges)));
        }
        if let Some(dominator) = structure.shortcut[block] {
            facts.state(block, format!("reached whenever {dominator} is"));
        }
        for left in structure.left_by_entering(block).into_iter().collect::<BTreeSet<_>>() {
            facts.state(block, format!("leaves loop {left}"));
        }
    }
}

fn of_uniformity(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, .. } = subject;
    let points_to = points_to(kernel);
    let written = subject.written(&points_to);
    let [of_group, of_groups] = PAIRS.map(|(pair, _)| {
        let intervals = intervals_of(subject, &points_to, pair);
        uniformity(kernel, structure, &points_to, &|a| written.contains(&a), &intervals, &BTreeSet::new(), pair)
    });
    let told = |in_group: bool, between_groups: bool| match (in_group, between_groups) {
        (true, true) => "uniform",
        (true, false) => "uniform in a group",
        (false, true) => "uniform between groups",
        (false, false) => "divergent",
    };
    for &block in &structure.order {
        facts.state(block, told(of_group.block(block), of_groups.block(block)));
    }
    for value in values(subject) {
        facts.state(value, told(of_group.value(value), of_groups.value(value)));
    }
}

fn of_word_facts(subject: &Subject, facts: &mut Facts) {
    let mut words = Words::new(&subject.kernel, |query| subject.answers(query));
    for value in values(subject) {
        if subject.kernel.ty(value) == Type::Bool {
            let known = words.condition(value);
            facts.state(value, known.map_or("open".to_owned(), |known| known.to_string()));
        } else if is_number(subject, value) {
            let word = words.of(value).filter(|word| *word != Word::any(word.width()));
            facts.state(value, word.map_or("anything".to_owned(), |word| of_word(&word)));
        }
    }
}

fn of_word(word: &Word) -> String {
    let ((low, high), (least, most)) = (word.unsigned(), word.signed());
    if low == high {
        return low.to_string();
    }
    let mut told = format!("{low}..={high}");
    if least < 0 {
        told = format!("{told}, signed {least}..={most}");
    }
    let low_bits = (word.zeros() | word.ones()).trailing_ones();
    if low_bits > 0 {
        let pattern = (0..low_bits).rev().map(|bit| if word.ones() >> bit & 1 == 1 { '1' } else { '0' });
        told = format!("{told}, ends in {}", pattern.collect::<String>());
    }
    told
}

fn of_written(subject: &Subject, facts: &mut Facts) {
    let Subject { kernel, structure, .. } = subject;
    let points_to = points_to(kernel);
    let written = written(kernel, structure, &points_to, |query| subject.answers(query));
    let group = known_product(&subject.launch.local_size).map_or("open".to_owned(), |size| size.to_string());
    facts.state("kernel", format!("group of {group}"));
    let atomic = |&it: &Instruction| matches!(kernel.instructions[it].operation, Operation::Atomic { .. });
    for load in subject.loads().chain(subject.instructions().filter(atomic)) {
        for array in kernel.arrays.keys().filter(|&array| kernel.arrays[array].space == Space::Local) {
            let fact = match written.before(load, array).map(Vec::as_slice) {
                None => format!("any byte of {array}"),
                Some([]) => format!("nothing of {array}"),
                Some(bytes) => {
                    let ranges = bytes.iter().map(|(low, high)| format!("{low}..{high}"));
                    format!("bytes {} of {array}", ranges.collect::<Vec<_>>().join(" and "))
                }
            };
            facts.state(load, fact);
        }
    }
}
