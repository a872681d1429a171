//! Two pointers that are followed back together, along the paths to a launch.
//!
//! Each pointer of a launch may have several origins. Buffers that a loop swaps have the same two,
//! and are nevertheless never one. So the two pointers are followed as a pair, from the launch
//! backwards, one instruction after the other, into each predecessor of a block. Each is a value or
//! the content of a variable **at that point of the path** ([`Item`]):
//!
//! * an instruction that computes the value is replaced by its operand, a load by the content of
//!   its place, and a φ-node by the value for the predecessor, which is the same block for both;
//! * a write of the place replaces its content by what is written;
//! * of two choices by one condition, both pointers take the same side, and so does a branch on the
//!   way to the launch.
//!
//! If the two become the same value, or the content of the same place, they point into one piece of
//! memory on this path. If one of them comes to an allocation before that, they do not: the other
//! one is older. The same holds for a variable before its first write.
//!
//! A variable may be written by a store to an unknown element, or by a function with a body. Then
//! its content is followed both as if it was written and as if it was not. Two pointers that are
//! loaded from one variable, at least one of them from an unknown element, are taken for different
//! ones, as in `k(p[now], p[1 - now])`, also if they are loaded in different iterations of a loop.
//!
//! The search ends: there are finitely many blocks and items, and the number of states is limited,
//! because distances may grow in a loop. A pair that is not followed to the end
//! ([`Followed::is_complete`]) may have more aliases. Then the origins that the two have in common
//! count as well. This applies to results of unknown functions, loads from unknown places, and
//! pairs with too many states.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};

use super::blocks::BlockOfHost;
use super::{Aliases, Move, Origin, Writer, is_call, is_variable, number, toolkit_function};
use crate::llvm::launches::name_of_called;
use crate::llvm::raw::{LBlock, LValue, Opcode, ValueKind};

/// The most states of a pair.
const MOST_STATES: usize = 1 << 14;

/// The most blocks between a choice and its condition.
const FURTHEST_BRANCH: usize = 4;

/// The most blocks in front of a shared origin that are looked at for contradictions.
const MOST_ON_ONE_WAY: usize = 64;

/// The most unknown distances by which a pointer is moved.
const MOST_MOVES: usize = 4;

/// The functions that return new memory.
const ALLOCATING: [&str; 7] = ["malloc", "calloc", "aligned_alloc", "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "valloc"];

/// A pointer at a point of a path, less a distance that is kept for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// A value.
    Value(LValue),
    /// The content of the place this many bytes after a pointer.
    Content(LValue, i64),
    /// One of the pointers in a variable.
    Element(LValue),
    /// The number 0: addresses that are constants.
    Zero,
}

impl Item {
    /// The value that it is, or in whose target it is.
    fn base(self) -> Option<LValue> {
        match self {
            Self::Value(base) | Self::Content(base, _) | Self::Element(base) => Some(base),
            Self::Zero => None,
        }
    }
}

/// The distances between two pointers that share an origin on some path.
#[derive(Default)]
pub(super) struct Followed {
    /// The distances in bytes from the first to the second.
    pub distances: BTreeSet<i64>,
    /// Whether there are no others.
    pub is_complete: bool,
    /// Whether the two share an origin on some path, at a distance that is known or not, or come
    /// from callers that are not known.
    pub may_meet: bool,
}

/// Both pointers at a point of a path.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// The block, and the number of its instructions in front of the point.
    at: (usize, usize),
    items: [Item; 2],
    /// The distance from the first pointer to the second, less that of the items.
    distance: i64,
    /// Unknown numbers by which each pointer is further than its item, and their units in bytes.
    moved: [Vec<(LValue, i64)>; 2],
    /// The conditions by which a pointer was chosen.
    chosen: Vec<(LValue, bool)>,
    /// The variables from which the pointers were loaded, and whether from an unknown element.
    elements: [Option<(LValue, bool)>; 2],
    /// Whether the pointers were loaded from elements of an iteration, and whether the path has
    /// gone to another iteration since the first was.
    of_iteration: [bool; 2],
    is_elsewhere: bool,
}

/// One possible replacement of an item.
#[derive(Clone)]
struct Earlier {
    item: Item,
    /// The bytes from the new item to the old one.
    by: i64,
    /// Unknown numbers that are added to these bytes, and their units.
    moved: Vec<(LValue, i64)>,
    /// The condition under which it is this one.
    chosen: Option<(LValue, bool)>,
    /// Whether it is loaded from an element whose number a loop changes, which is taken for that of
    /// the first iteration.
    of_iteration: bool,
}

impl Earlier {
    fn plain(item: Item) -> Self {
        Self { item, by: 0, moved: Vec::new(), chosen: None, of_iteration: false }
    }
}

/// The search for one pair.
struct Search<'a> {
    aliases: &'a Aliases,
    seen: HashSet<State>,
    pending: Vec<State>,
    distances: BTreeSet<i64>,
    may_meet: bool,
    is_complete: Cell<bool>,
}

impl Aliases {
    /// Follows two pointers that are passed at an instruction back to where they are one.
    pub(super) fn followed(&self, launching: LValue, items: [Item; 2]) -> Followed {
        let mut search = Search {
            aliases: self,
            seen: HashSet::new(),
            pending: Vec::new(),
            distances: BTreeSet::new(),
            may_meet: false,
            is_complete: Cell::new(true),
        };
        let Some(&at) = self.blocks.at.get(&launching) else { return Followed::default() };
        let state = State {
            at,
            items,
            distance: 0,
            moved: <[_; 2]>::default(),
            chosen: Vec::new(),
            elements: [None; 2],
            of_iteration: [false; 2],
            is_elsewhere: false,
        };
        search.go_to_each(at, items.map(|item| vec![Earlier::plain(item)]), &state);
        while let Some(state) = search.pending.pop() {
            if search.seen.len() > MOST_STATES {
                search.is_complete.set(false);
                break;
            }
            search.back(state);
        }
        let Search { distances, may_meet, is_complete, .. } = search;
        Followed { distances, is_complete: is_complete.get(), may_meet }
    }
}

impl Search<'_> {
    /// Goes back from a point to where one of the items is replaced, or to the predecessors.
    fn back(&mut self, mut state: State) {
        let (block, index) = state.at;
        let blocks = &self.aliases.blocks;
        for index in (0..index).rev() {
            let instruction = blocks.of[block].instructions[index];
            if matches!(instruction.opcode(), Opcode::LLVMPHI) {
                break;
            }
            // In front of it, the condition has the value of an earlier iteration.
            state.chosen.retain(|(condition, _)| *condition != instruction);
            let earlier = state.items.map(|item| self.before(instruction, item));
            if earlier.iter().any(Option::is_some) {
                let [first, second] = earlier;
                let same = |which: usize| vec![Earlier::plain(state.items[which])];
                let earlier = [first.unwrap_or_else(|| same(0)), second.unwrap_or_else(|| same(1))];
                self.go_to_each((block, index), earlier, &state);
                return;
            }
        }
        let predecessors = &blocks.of[block].predecessors;
        for &predecessor in predecessors {
            self.enter(predecessor, &state);
        }
        if predecessors.is_empty() {
            self.leave(&state);
        }
    }

    /// Goes to the end of a predecessor.
    fn enter(&mut self, predecessor: usize, state: &State) {
        let blocks = &self.aliases.blocks;
        let [before, here] = [predecessor, state.at.0].map(|block| &blocks.of[block]);
        if is_contradicted(&state.chosen, before, here) {
            return;
        }
        let incoming = |value: LValue| {
            let is_here = blocks.at.get(&value).is_some_and(|(block, _)| *block == state.at.0);
            let is_phi = is_here && matches!(value.opcode(), Opcode::LLVMPHI);
            if is_phi { value.incoming(before.block) } else { None }
        };
        let is_chosen = |item: &Item| item.base().and_then(incoming).is_some();
        let chosen = self.branch_to(predecessor, state.at.0).filter(|_| state.items.iter().any(is_chosen));
        let chosen = chosen.or_else(|| branch_between(before, here).filter(|(condition, _)| decides_more(*condition)));
        let mut earlier = self.replaced(state.items, incoming);
        for one in earlier.iter_mut().flatten() {
            one.chosen = chosen;
        }
        let mut state = state.clone();
        state.chosen.retain(|(condition, _)| incoming(*condition).is_none());
        let begins = here.instructions.first().is_some_and(|first| matches!(first.opcode(), Opcode::LLVMPHI));
        state.is_elsewhere |= begins && state.of_iteration.contains(&true);
        self.go_to_each((predecessor, before.instructions.len()), earlier, &state);
    }

    /// The condition that leads to the edge between two blocks, and its value there.
    fn branch_to(&self, from: usize, to: usize) -> Option<(LValue, bool)> {
        let blocks = &self.aliases.blocks;
        let (mut from, mut to) = (from, to);
        for _ in 0..FURTHEST_BRANCH {
            if let Some(branch) = branch_between(&blocks.of[from], &blocks.of[to]) {
                return Some(branch);
            }
            let &[before] = blocks.of[from].predecessors.as_slice() else { return None };
            (from, to) = (before, from);
        }
        None
    }

    /// Goes from the beginning of a function to its calls.
    fn leave(&mut self, state: &State) {
        let blocks = &self.aliases.blocks;
        let function = blocks.of[state.at.0].function;
        let parameters = function.parameters();
        // A member of an object that the function gets is an origin of its own.
        let is_open = |item: &Item| match item {
            Item::Content(base, _) => !parameters.contains(base),
            Item::Element(_) => true,
            Item::Value(_) | Item::Zero => false,
        };
        if state.items.iter().any(is_open) {
            self.is_complete.set(false);
        }
        let is_parameter = |item: &Item| item.base().is_some_and(|base| parameters.contains(&base));
        let is_given = state.items.iter().any(is_parameter);
        let callers = function.users();
        self.may_meet |= is_given && callers.is_empty();
        for call in callers {
            let Some(&at) = blocks.at.get(&call).filter(|_| is_call(call) && call.called() == Some(function)) else {
                self.may_meet |= is_given;
                continue;
            };
            let arguments = call.call_arguments();
            let argument = |value: LValue| {
                let index = parameters.iter().position(|&parameter| parameter == value)?;
                arguments.get(index).copied()
            };
            let earlier = self.replaced(state.items, argument);
            self.go_to_each(at, earlier, &State { chosen: Vec::new(), ..state.clone() });
        }
    }

    /// The items with other values for those in them.
    fn replaced(&self, items: [Item; 2], other: impl Fn(LValue) -> Option<LValue>) -> [Vec<Earlier>; 2] {
        let replaced = |item: Item| match item {
            Item::Value(value) => Some(Item::Value(other(value).unwrap_or(value))),
            Item::Content(base, at) => other(base).map_or(Some(item), |base| self.content(base, at)),
            Item::Element(base) => other(base).map_or(Some(item), |base| self.element(base)),
            Item::Zero => Some(item),
        };
        items.map(|item| replaced(item).map(Earlier::plain).into_iter().collect())
    }

    /// Goes to a point with every pair of replacements that may occur together.
    fn go_to_each(&mut self, at: (usize, usize), earlier: [Vec<Earlier>; 2], state: &State) {
        let [first, second] = earlier.map(|of_one| -> Vec<Earlier> {
            of_one.iter().filter_map(|earlier| known(self.aliases, earlier)).collect()
        });
        for (first, second) in first.iter().flat_map(|first| second.iter().map(move |second| (first, second))) {
            self.go_to(at, [first, second], state);
        }
    }

    /// Goes to a point with two replacements, unless the two are one there.
    fn go_to(&mut self, at: (usize, usize), earlier: [&Earlier; 2], state: &State) {
        let mut chosen = state.chosen.clone();
        for (condition, side) in earlier.into_iter().filter_map(|earlier| earlier.chosen) {
            match chosen.iter().find(|(known, _)| *known == condition) {
                Some((_, known)) if *known != side => return,
                Some(_) => {}
                None => chosen.push((condition, side)),
            }
        }
        let distance = state.distance.wrapping_add(earlier[1].by).wrapping_sub(earlier[0].by);
        let mut moved = state.moved.clone();
        for (moved, earlier) in moved.iter_mut().zip(earlier) {
            moved.extend(&earlier.moved);
        }
        let items = earlier.map(|earlier| earlier.item);
        let mut of_iteration = state.of_iteration;
        for which in [0, 1].into_iter().filter(|&which| earlier[which].of_iteration) {
            // The first iteration's number stands for one of both.
            if state.is_elsewhere && of_iteration[1 - which] {
                self.is_complete.set(false);
                return;
            }
            of_iteration[which] = true;
        }
        if are_one(items) {
            let is_reached = self.is_reached(at.0, chosen);
            self.may_meet |= is_reached;
            self.distances.extend((is_reached && moved[0] == moved[1]).then_some(distance));
            return;
        }
        let mut elements = state.elements;
        for (of, item) in elements.iter_mut().zip(items) {
            if let Item::Element(base) | Item::Content(base, _) = item {
                of.get_or_insert((base, matches!(item, Item::Element(_))));
            }
        }
        // The elements are taken to be different ones.
        let are_elements = matches!(elements, [Some((first, here)), Some((second, there))]
            if first == second && (here || there));
        if are_elements || moved.iter().any(|moved| moved.len() > MOST_MOVES) {
            self.is_complete.set(false);
            return;
        }
        let is_elsewhere = state.is_elsewhere;
        let state = State { at, items, distance, moved, chosen, elements, of_iteration, is_elsewhere };
        if self.seen.insert(state.clone()) {
            self.pending.push(state);
        }
    }

    /// Whether a block may be on a path with these conditions, as far as only one way leads there.
    fn is_reached(&self, mut block: usize, mut chosen: Vec<(LValue, bool)>) -> bool {
        let blocks = &self.aliases.blocks;
        for _ in 0..MOST_ON_ONE_WAY {
            let &[before] = blocks.of[block].predecessors.as_slice() else { break };
            // In front of it, a condition has the value of an earlier iteration.
            let is_made_here = |condition: &LValue| blocks.at.get(condition).is_some_and(|(at, _)| *at == block);
            chosen.retain(|(condition, _)| !is_made_here(condition));
            if is_contradicted(&chosen, &blocks.of[before], &blocks.of[block]) {
                return false;
            }
            block = before;
        }
        true
    }

    // --- One item --------------------------------------------------------------------------------

    /// The items that may stand for an item before an instruction; `None` if it is the same one.
    ///
    /// There are none if the pointer is new: nothing before the instruction is the same.
    fn before(&self, instruction: LValue, item: Item) -> Option<Vec<Earlier>> {
        match item {
            Item::Value(value) => (value == instruction).then(|| self.computed(instruction)),
            Item::Content(base, at) if base == instruction => Some(self.content_of_new(instruction, at)),
            Item::Content(base, _) => {
                let all = self.aliases.writing(base);
                let here = all.iter().filter(|(writing, _)| *writing == instruction).map(|(_, writer)| *writer);
                self.written(instruction, &here.collect::<Vec<_>>(), item)
            }
            Item::Element(base) if base == instruction => Some(self.content_of_new(instruction, 0)),
            Item::Element(base) => {
                let all = self.aliases.writing(base);
                let mut here = all.iter().filter(|(writing, _)| *writing == instruction);
                here.next().map(|_| self.element_written(instruction, item))
            }
            Item::Zero => None,
        }
    }

    /// The items that one of the pointers in a variable may be before a write of the variable.
    fn element_written(&self, instruction: LValue, item: Item) -> Vec<Earlier> {
        self.is_complete.set(false);
        let operands = instruction.operands();
        let written = match instruction.opcode() {
            Opcode::LLVMStore => Some(Item::Value(operands[0])),
            _ if is_copy(instruction) => self.element(operands[1]),
            _ => None,
        };
        written.into_iter().chain([item]).map(Earlier::plain).collect()
    }

    /// The items that the value of an instruction is computed from.
    fn computed(&self, value: LValue) -> Vec<Earlier> {
        if let Some((base, by)) = self.aliases.moved(value) {
            let by = by.into_iter().map(|Move { bytes, unknown }| (bytes, unknown));
            return by.map(|(by, moved)| Earlier { by, moved, ..Earlier::plain(Item::Value(base)) }).collect();
        }
        let operands = value.operands();
        match value.opcode() {
            Opcode::LLVMSelect => chosen(value, |side| Some(Item::Value(side))),
            Opcode::LLVMLoad => {
                let of_iteration = self.aliases.is_of_iteration(operands[0]);
                let content = self.content(operands[0], 0).map(Earlier::plain);
                content.map(|content| Earlier { of_iteration, ..content }).into_iter().collect()
            }
            Opcode::LLVMExtractValue => self.extracted(operands[0], &value.indices()),
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.returned(value),
            _ => self.nothing_known(),
        }
    }

    /// The items that a call may return.
    fn returned(&self, call: LValue) -> Vec<Earlier> {
        if allocates(call) || self.allocates_inside(call) {
            return Vec::new();
        }
        self.is_complete.set(false);
        returned_by(call).into_iter().flat_map(|value| self.inside(call, value)).collect()
    }

    /// Whether a called function returns what it has allocated into a variable of its own.
    fn allocates_inside(&self, call: LValue) -> bool {
        let is_allocation = |writer: &Writer| match writer {
            Writer::Call { call, .. } => toolkit_function(*call).is_some_and(|name| name.contains("Malloc")),
            Writer::Store { .. } | Writer::Copy { .. } | Writer::Somewhere => false,
        };
        let is_new = |value: LValue| {
            let is_load = is_instruction(value) && matches!(value.opcode(), Opcode::LLVMLoad);
            let place = is_load.then(|| self.aliases.place(value.operands()[0])).flatten();
            let Some((base, _)) = place.filter(|(base, _)| is_variable(*base) && !is_of_file(*base)) else {
                return false;
            };
            let writers = self.aliases.writers(base);
            !writers.is_empty() && writers.iter().all(is_allocation)
        };
        let returned = returned_by(call);
        !returned.is_empty() && returned.into_iter().all(is_new)
    }

    /// The items that a part of a struct in registers is.
    fn extracted(&self, whole: LValue, indices: &[u32]) -> Vec<Earlier> {
        if let Some(part) = inserted(whole, indices) {
            return vec![Earlier::plain(Item::Value(part))];
        }
        self.is_complete.set(false);
        let returned = if is_instruction(whole) && is_call(whole) { returned_by(whole) } else { Vec::new() };
        let parts = returned.into_iter().filter_map(|value| inserted(value, indices));
        parts.flat_map(|part| self.inside(whole, part)).collect()
    }

    /// The items that a value inside a called function stands for, in terms of the caller.
    fn inside(&self, call: LValue, value: LValue) -> Vec<Earlier> {
        let parameters = call.called().map(LValue::parameters).unwrap_or_default();
        let arguments = call.call_arguments();
        let mut found = Vec::new();
        for (origin, by) in self.aliases.addresses(value, 0) {
            let item = match origin {
                Origin::Value(value) => {
                    let index = parameters.iter().position(|parameter| *parameter == value);
                    index.and_then(|index| arguments.get(index)).map(|argument| Item::Value(*argument))
                }
                Origin::Content(base, at) => Some(Item::Content(base, at)).filter(|_| is_of_file(base)),
                Origin::Variable(variable) => Some(Item::Value(variable)),
                Origin::Zero => Some(Item::Zero),
            };
            found.extend(item.zip(by).map(|(item, by)| Earlier { by, ..Earlier::plain(item) }));
        }
        found
    }

    /// The items that the content of a place may be before the instruction that computes its base.
    fn content_of_new(&self, base: LValue, at: i64) -> Vec<Earlier> {
        match base.opcode() {
            Opcode::LLVMAlloca => Vec::new(),
            _ if allocates(base) => Vec::new(),
            Opcode::LLVMSelect => chosen(base, |side| self.content(side, at)),
            _ => self.nothing_known(),
        }
    }

    /// The items that the content of a place may be before an instruction that may write there.
    fn written(&self, instruction: LValue, writers: &[Writer], item: Item) -> Option<Vec<Earlier>> {
        let Item::Content(base, place) = item else { return None };
        let mut found = Vec::new();
        let (mut is_written, mut may_be_written) = (false, false);
        for writer in writers.iter().filter(|writer| writer.may_write(place)) {
            match *writer {
                Writer::Store { value, .. } => {
                    is_written = true;
                    found.push(Earlier::plain(Item::Value(value)));
                }
                Writer::Copy { at, from } => {
                    let bytes = instruction.operands().get(2).and_then(|bytes| number(*bytes, 0));
                    if bytes.is_some_and(|bytes| place - at >= bytes) {
                        continue;
                    }
                    (is_written, may_be_written) = (is_written || bytes.is_some(), true);
                    found.extend(self.content(from.0, from.1 + place - at).map(Earlier::plain));
                }
                Writer::Call { at: Some(_), call } => {
                    is_written = true;
                    found.extend(self.set_by(call));
                }
                Writer::Call { at: None, call } => {
                    may_be_written = true;
                    found.extend(self.set_inside(call, base, place));
                }
                Writer::Somewhere => {
                    may_be_written = true;
                    let is_store = matches!(instruction.opcode(), Opcode::LLVMStore);
                    found.extend(is_store.then(|| Earlier::plain(Item::Value(instruction.operands()[0]))));
                }
            }
        }
        if is_call(instruction) && is_of_file(base) {
            let inside = self.set_at(instruction, base, place);
            may_be_written |= !inside.is_empty();
            found.extend(inside);
        }
        if !is_written {
            found.push(Earlier::plain(item));
        }
        (is_written || may_be_written).then_some(found)
    }

    /// The pointer that a function of the toolkit writes to a variable, if it is not new memory.
    fn set_by(&self, call: LValue) -> Option<Earlier> {
        let value = call.call_arguments().get(1).copied();
        match toolkit_function(call)?.as_str() {
            "GetSymbolAddress" | "HostGetDevicePointer" => value.map(|value| Earlier::plain(Item::Value(value))),
            name if name.contains("Malloc") || name.contains("Alloc") => None,
            _ => {
                self.is_complete.set(false);
                None
            }
        }
    }

    /// The items that a called function may write to a place to which its arguments point.
    fn set_inside(&self, call: LValue, base: LValue, place: i64) -> Vec<Earlier> {
        if toolkit_function(call).is_none() {
            self.is_complete.set(false);
        }
        let Some(function) = call.called().filter(|called| has_body(*called)) else { return Vec::new() };
        let mut found = Vec::new();
        for (argument, parameter) in call.call_arguments().into_iter().zip(function.parameters()) {
            if let Some((_, at)) = self.aliases.place(argument).filter(|(to, _)| *to == base) {
                found.extend(self.set_at(call, parameter, place - at));
            }
        }
        found
    }

    /// The items that a called function itself may write to a place.
    fn set_at(&self, call: LValue, base: LValue, place: i64) -> Vec<Earlier> {
        let Some(function) = call.called().filter(|called| has_body(*called)) else { return Vec::new() };
        let blocks = &self.aliases.blocks;
        let is_inside = |instruction: &LValue| blocks.function_of(*instruction) == Some(function);
        let writers = self.aliases.writing(base);
        let here = writers.iter().filter(|(instruction, writer)| is_inside(instruction) && writer.may_write(place));
        let mut found = Vec::new();
        for (_, writer) in here {
            self.is_complete.set(false);
            if let Writer::Store { value, .. } = writer {
                found.extend(self.inside(call, *value));
            }
        }
        found
    }

    /// The content of the place to which a pointer points, this many bytes further.
    fn content(&self, pointer: LValue, further: i64) -> Option<Item> {
        let Some((base, at)) = self.aliases.place(pointer) else { return self.element(pointer) };
        if !is_variable(base) && !allocates(base) {
            self.is_complete.set(false);
        }
        Some(Item::Content(base, at.wrapping_add(further)))
    }

    /// One of the pointers in the variable into which a pointer points.
    fn element(&self, pointer: LValue) -> Option<Item> {
        self.is_complete.set(false);
        let base = self.aliases.base(pointer);
        is_variable(base).then_some(Item::Element(base))
    }

    fn nothing_known(&self) -> Vec<Earlier> {
        self.is_complete.set(false);
        Vec::new()
    }
}

/// An item without the constants in it; `None` if no access goes there.
fn known(aliases: &Aliases, earlier: &Earlier) -> Option<Earlier> {
    let Earlier { mut item, mut by, .. } = *earlier;
    while let Item::Value(value) = item {
        match value.kind() {
            ValueKind::LLVMConstantExprValueKind => {
                let (base, further) = aliases.step(value)?;
                (item, by) = (Item::Value(base), by.wrapping_add(further?));
            }
            ValueKind::LLVMConstantIntValueKind => {
                let address = number(value, 0).filter(|address| *address != 0)?;
                (item, by) = (Item::Zero, by.wrapping_add(address));
            }
            ValueKind::LLVMInstructionValueKind
            | ValueKind::LLVMArgumentValueKind
            | ValueKind::LLVMGlobalVariableValueKind => break,
            _ => return None,
        }
    }
    Some(Earlier { item, by, ..earlier.clone() })
}

/// Whether the way from a block to the next contradicts conditions that were chosen.
fn is_contradicted(chosen: &[(LValue, bool)], before: &BlockOfHost, next: &BlockOfHost) -> bool {
    let branch = branch_between(before, next);
    branch.is_some_and(|(condition, side)| chosen.contains(&(condition, !side)))
}

/// The condition under which a block leads to the next, and its value then.
fn branch_between(before: &BlockOfHost, next: &BlockOfHost) -> Option<(LValue, bool)> {
    let branch = before.instructions.last().filter(|last| matches!(last.opcode(), Opcode::LLVMBr))?;
    let &[then, otherwise] = branch.successors().as_slice() else { return None };
    let condition = branch.operands().first().copied().filter(|condition| is_instruction(*condition))?;
    (then != otherwise).then_some((condition, next.block == then))
}

/// Whether a condition decides more than one branch or choice.
fn decides_more(condition: LValue) -> bool {
    let is_choice =
        |user: &LValue| is_instruction(*user) && matches!(user.opcode(), Opcode::LLVMBr | Opcode::LLVMSelect);
    condition.users().iter().filter(|user| is_choice(user)).count() > 1
}

/// Whether two items are one pointer.
fn are_one(items: [Item; 2]) -> bool {
    match items {
        [Item::Element(_), _] | [_, Item::Element(_)] => false,
        [first, second] => first == second,
    }
}

/// The two sides of a choice.
fn chosen(choice: LValue, item: impl Fn(LValue) -> Option<Item>) -> Vec<Earlier> {
    let operands = choice.operands();
    let sides = [(operands[1], true), (operands[2], false)];
    let earlier = |(side, is_true): (LValue, bool)| {
        item(side).map(|item| Earlier { chosen: Some((operands[0], is_true)), ..Earlier::plain(item) })
    };
    sides.into_iter().filter_map(earlier).collect()
}

/// The values that a called function returns.
fn returned_by(call: LValue) -> Vec<LValue> {
    let blocks = call.called().filter(|called| has_body(*called)).map(LValue::blocks).unwrap_or_default();
    let last = blocks.into_iter().filter_map(LBlock::terminator);
    let returning = last.filter(|last| matches!(last.opcode(), Opcode::LLVMRet));
    returning.filter_map(|last| last.operands().first().copied()).collect()
}

/// The part of a struct in registers, if the instructions that make it show the part.
fn inserted(mut whole: LValue, indices: &[u32]) -> Option<LValue> {
    while is_instruction(whole) && matches!(whole.opcode(), Opcode::LLVMInsertValue) {
        let operands = whole.operands();
        if whole.indices() == indices {
            return Some(operands[1]);
        }
        whole = operands[0];
    }
    None
}

/// Whether a value is the result of a function that returns new memory.
fn allocates(value: LValue) -> bool {
    let is_named = |name: String| ALLOCATING.contains(&name.as_str());
    is_instruction(value) && name_of_called(value).is_some_and(is_named)
}

fn is_instruction(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
}

/// Whether an instruction copies memory of the host.
fn is_copy(instruction: LValue) -> bool {
    let is_named = |name: String| name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
    name_of_called(instruction).is_some_and(is_named)
}

fn has_body(called: LValue) -> bool {
    matches!(called.kind(), ValueKind::LLVMFunctionValueKind) && !called.is_declaration()
}

/// Whether a value is the beginning of a variable at file scope.
fn is_of_file(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind)
}
