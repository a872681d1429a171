//! The memory of a program: its objects, which are bytes with bounds.
//!
//! An address has the number of an object above [`OFFSET_BITS`] and a byte below. No object is so
//! large that a pointer somewhat outside of it lies in another one. A freed object keeps its number
//! until there are [`LIVING`] others, so an access to it is noticed.
//!
//! Memory is zero at first, as the results of a run must not depend on chance.

use std::collections::VecDeque;

use lockstep_ir::host::{HostProgram, OFFSET_BITS, address};
use rustc_hash::FxHashMap;

use crate::Stopped;
use crate::numbers::{count, index};

/// The most bytes of all objects.
pub const MOST_BYTES: u64 = 1 << 31;

/// The most objects, which an address has bits for.
const MOST_OBJECTS: usize = 1 << (64 - OFFSET_BITS);

/// The number of objects from which on those that were freed are used again.
const LIVING: usize = 1 << 22;

/// The bytes that an object counts for beside its own.
const OBJECT_COST: u64 = 64;

const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;

/// An object of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Memory of the host.
    Host,
    /// Memory that host and device access.
    Managed,
    /// Memory of the device.
    Device,
    /// A function, which has no bytes.
    Function,
    /// Nothing: the object was freed, or never existed.
    Freed,
}

/// The reason why an object exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is the object that null points to.
    Null,
    /// It is a variable at file scope, by its index.
    Variable(u32),
    /// It is a function.
    Function,
    /// It is a local variable.
    Local,
    /// It is memory that the program allocated by itself.
    Heap,
    /// It is memory of the device, or of both sides, that the toolkit allocated.
    Toolkit,
    /// It is memory of the host that the toolkit allocated.
    Pinned,
    /// It belongs to the library, or to the toolkit.
    Runtime,
}

impl Origin {
    fn is_allocation(self) -> bool {
        matches!(self, Self::Heap | Self::Toolkit | Self::Pinned)
    }
}

#[derive(Clone, Debug)]
struct Object {
    bytes: Vec<u8>,
    kind: Kind,
    origin: Origin,
    /// Whether something has been written there: otherwise the program leaves the contents open.
    has_contents: bool,
    /// The number of its last change.
    version: u64,
}

/// The objects of a program.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    /// The freed objects, those first that were freed first.
    freed: VecDeque<u32>,
    /// The bytes of all objects, with their costs.
    used: u64,
    /// The most of these.
    most: u64,
    /// The bytes that operations on many have touched.
    touched: u64,
    /// The number of changes of objects.
    changes: u64,
    names: Vec<Box<str>>,
    by_name: FxHashMap<Box<str>, u32>,
    functions: std::ops::Range<u64>,
}

impl Memory {
    /// The memory of a program before its first step, which may have at most so many bytes.
    pub(crate) fn new(program: &HostProgram, most: u64) -> Result<Self, Stopped> {
        let first_function = program.function_object(0);
        let mut memory = Self {
            objects: vec![Object {
                bytes: Vec::new(),
                kind: Kind::Freed,
                origin: Origin::Null,
                has_contents: false,
                version: 0,
            }],
            freed: VecDeque::new(),
            used: 0,
            most: most.min(MOST_BYTES),
            touched: 0,
            changes: 0,
            names: Vec::new(),
            by_name: FxHashMap::default(),
            functions: first_function..first_function + count(program.functions.len()),
        };
        for (number, variable) in (0..).zip(&program.variables) {
            let kind = if variable.is_elsewhere { Kind::Device } else { Kind::Host };
            let object = memory.create(kind, Origin::Variable(number), variable.bytes)?;
            let bytes = &mut memory.objects[object].bytes;
            let length = bytes.len().min(variable.contents.len());
            bytes[..length].copy_from_slice(&variable.contents[..length]);
            memory.names.push(variable.name.as_str().into());
            let id = ObjectId::new(object).0;
            memory.by_name.entry(variable.name.as_str().into()).or_insert(id);
        }
        for _ in &program.functions {
            memory.create(Kind::Function, Origin::Function, 0)?;
        }
        Ok(memory)
    }

    /// The object and the byte in it that an address points to, or that it points behind.
    pub fn object_at(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (object, offset) = (index(address >> OFFSET_BITS), address & OFFSET_MASK);
        let found = self.objects.get(object).filter(|found| found.kind != Kind::Freed)?;
        (offset <= count(found.bytes.len())).then_some((ObjectId::new(object), offset))
    }

    /// The kind of an object.
    pub fn kind(&self, object: ObjectId) -> Kind {
        self.objects.get(object.index()).map_or(Kind::Freed, |object| object.kind)
    }

    /// The size of an object in bytes.
    pub fn size(&self, object: ObjectId) -> u64 {
        self.objects.get(object.index()).map_or(0, |object| count(object.bytes.len()))
    }

    /// The address of an object's first byte.
    pub fn address_of(&self, object: ObjectId) -> u64 {
        address(object.0.into(), 0)
    }

    /// The first variable of this name.
    pub fn variable(&self, name: &str) -> Option<ObjectId> {
        self.by_name.get(name).copied().map(ObjectId)
    }

    /// The bytes of an object that the device may access.
    pub fn bytes_of_device(&self, object: ObjectId) -> Option<&[u8]> {
        let object = self.objects.get(object.index())?;
        matches!(object.kind, Kind::Device | Kind::Managed).then_some(&object.bytes)
    }

    /// Whether something has been written to an object, or copied there from what has contents.
    pub fn has_contents(&self, object: ObjectId) -> bool {
        self.objects.get(object.index()).is_some_and(|object| object.has_contents)
    }

    /// A number that no other object has, and that changes whenever an object may have changed.
    pub fn version(&self, object: ObjectId) -> u64 {
        self.objects.get(object.index()).map_or(0, |object| object.version)
    }

    /// Replaces the bytes of an object that the device may access, after a launch that has written
    /// there or not. The object's size stays the same.
    pub fn replace_device(&mut self, object: ObjectId, mut bytes: Vec<u8>, is_written: bool) {
        if let Some(object) = self.objects.get_mut(object.index())
            && matches!(object.kind, Kind::Device | Kind::Managed)
        {
            bytes.resize(object.bytes.len(), 0);
            self.changes += 1;
            object.version = self.changes;
            object.bytes = bytes;
            object.has_contents |= is_written;
        }
    }

    /// Bytes that the host reads.
    pub fn read(&self, address: u64, bytes: u64) -> Result<&[u8], Stopped> {
        match self.slice(address, index(bytes), Side::Host) {
            Some(found) => Ok(found),
            None => Err(self.refusal(address, bytes, Side::Host, "reads")),
        }
    }

    /// Writes bytes as the host does.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stopped> {
        self.touched += count(bytes.len());
        match self.slice_mut(address, bytes.len(), Side::Host) {
            Some(found) => found.copy_from_slice(bytes),
            None => return Err(self.refusal(address, count(bytes.len()), Side::Host, "writes")),
        }
        Ok(())
    }

    /// The address of new memory.
    pub fn allocate(&mut self, kind: Kind, bytes: u64) -> Result<u64, Stopped> {
        let origin = if kind == Kind::Host { Origin::Heap } else { Origin::Toolkit };
        self.allocate_for(kind, origin, bytes)
    }

    /// Frees memory that was allocated, by the address of its first byte.
    pub fn free(&mut self, address: u64) -> Result<(), Stopped> {
        match self.allocation_at(address) {
            Some((object, _)) => {
                self.release(object);
                Ok(())
            }
            None => Err(self.refused_free(address)),
        }
    }
}

/// The side of the program that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The program itself.
    Host,
    /// The toolkit, which copies between both sides.
    Both,
}

impl Side {
    #[inline]
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::Host => matches!(kind, Kind::Host | Kind::Managed),
            Self::Both => matches!(kind, Kind::Host | Kind::Managed | Kind::Device),
        }
    }
}

impl ObjectId {
    fn new(object: usize) -> Self {
        Self(u32::try_from(object).expect("an object's number has 24 bits"))
    }

    fn index(self) -> usize {
        index(self.0.into())
    }
}

/// For the other parts of a run.
impl Memory {
    /// Adds an object.
    fn create(&mut self, kind: Kind, origin: Origin, bytes: u64) -> Result<usize, Stopped> {
        let used = self.used.saturating_add(bytes).saturating_add(OBJECT_COST);
        if used > self.most {
            return Err(Stopped::limit(format!("the program uses more than {} bytes of memory", self.most)));
        }
        let again = if self.objects.len() < LIVING { None } else { self.freed.pop_front() };
        if again.is_none() && self.objects.len() == MOST_OBJECTS {
            return Err(Stopped::limit(format!("the program has more than {MOST_OBJECTS} objects")));
        }
        self.used = used;
        let has_contents = matches!(origin, Origin::Variable(_));
        self.changes += 1;
        let new = Object { bytes: vec![0; index(bytes)], kind, origin, has_contents, version: self.changes };
        if let Some(again) = again {
            let again = index(again.into());
            self.objects[again] = new;
            return Ok(again);
        }
        self.objects.push(new);
        Ok(self.objects.len() - 1)
    }

    /// The address of new memory for a purpose.
    pub(crate) fn allocate_for(&mut self, kind: Kind, origin: Origin, bytes: u64) -> Result<u64, Stopped> {
        Ok(address(count(self.create(kind, origin, bytes)?), 0))
    }

    /// The address of new memory of the library with these contents.
    pub(crate) fn allocate_text(&mut self, bytes: &[u8]) -> Result<u64, Stopped> {
        let address = self.allocate_for(Kind::Host, Origin::Runtime, count(bytes.len()))?;
        self.write(address, bytes)?;
        Ok(address)
    }

    /// Makes an object one that was freed.
    pub(crate) fn release(&mut self, object: ObjectId) {
        let Some(found) = self.objects.get_mut(object.index()) else { return };
        if found.kind != Kind::Freed {
            self.used -= count(found.bytes.len()) + OBJECT_COST;
            found.bytes = Vec::new();
            found.kind = Kind::Freed;
            self.freed.push_back(object.0);
        }
    }

    /// Frees a local variable by its address.
    pub(crate) fn release_local(&mut self, address: u64) {
        if let Some((object, _)) = self.object_at(address) {
            self.release(object);
        }
    }

    /// Makes a variable of another file one of the host with these contents.
    pub(crate) fn define(&mut self, variable: ObjectId, contents: &[u8]) {
        let Some(object) = self.objects.get_mut(variable.index()) else { return };
        self.changes += 1;
        object.version = self.changes;
        object.kind = Kind::Host;
        object.has_contents = true;
        let length = object.bytes.len().min(contents.len());
        object.bytes[..length].copy_from_slice(&contents[..length]);
    }

    /// Changes whether the device may access an object of the host.
    pub(crate) fn set_kind(&mut self, object: ObjectId, kind: Kind) {
        if let Some(object) = self.objects.get_mut(object.index()) {
            self.changes += 1;
            object.version = self.changes;
            object.kind = kind;
        }
    }

    /// The reason why an object exists.
    pub(crate) fn origin(&self, object: ObjectId) -> Origin {
        self.objects.get(object.index()).map_or(Origin::Null, |object| object.origin)
    }

    /// The allocation that begins at an address, and its origin.
    pub(crate) fn allocation_at(&self, address: u64) -> Option<(ObjectId, Origin)> {
        let (object, offset) = self.object_at(address)?;
        let origin = self.origin(object);
        (offset == 0 && origin.is_allocation()).then_some((object, origin))
    }

    /// The index of the function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<u32> {
        let object = address >> OFFSET_BITS;
        if address & OFFSET_MASK != 0 || !self.functions.contains(&object) {
            return None;
        }
        u32::try_from(object - self.functions.start).ok()
    }

    /// The bytes that operations on many have touched since the last call.
    pub(crate) fn take_touched(&mut self) -> u64 {
        std::mem::take(&mut self.touched)
    }

    /// The bytes that operations on many have touched.
    #[inline]
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    /// Counts bytes that an operation has touched.
    pub(crate) fn touch(&mut self, bytes: u64) {
        self.touched = self.touched.saturating_add(bytes);
    }

    #[inline]
    fn slice(&self, address: u64, bytes: usize, side: Side) -> Option<&[u8]> {
        let object = self.objects.get(index(address >> OFFSET_BITS))?;
        if !side.has(object.kind) {
            return None;
        }
        let start = index(address & OFFSET_MASK);
        object.bytes.get(start..start.checked_add(bytes)?)
    }

    #[inline]
    fn slice_mut(&mut self, address: u64, bytes: usize, side: Side) -> Option<&mut [u8]> {
        let object = self.objects.get_mut(index(address >> OFFSET_BITS))?;
        if !side.has(object.kind) {
            return None;
        }
        self.changes += 1;
        object.version = self.changes;
        object.has_contents = true;
        let start = index(address & OFFSET_MASK);
        object.bytes.get_mut(start..start.checked_add(bytes)?)
    }

    /// The number of 1 to 8 bytes at an address, if the host may read it.
    #[inline]
    pub(crate) fn load(&self, address: u64, bytes: u8) -> Option<u64> {
        let word = |found: &[u8]| found.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let found = self.slice(address, bytes.into(), Side::Host)?;
        Some(match *found {
            [byte] => byte.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => word(found),
        })
    }

    /// Writes 1 to 8 bytes; `None` if the host may not.
    #[inline]
    pub(crate) fn store(&mut self, address: u64, value: u64, bytes: u8) -> Option<()> {
        let word = value.to_le_bytes();
        let found = self.slice_mut(address, bytes.into(), Side::Host)?;
        match found.len() {
            1 => found.copy_from_slice(&word[..1]),
            2 => found.copy_from_slice(&word[..2]),
            4 => found.copy_from_slice(&word[..4]),
            8 => found.copy_from_slice(&word),
            other => found.copy_from_slice(word.get(..other)?),
        }
        Some(())
    }

    /// Reads a number of 1 to 8 bytes as the host does.
    pub(crate) fn read_number(&self, address: u64, bytes: u8) -> Result<u64, Stopped> {
        self.load(address, bytes).ok_or_else(|| self.refusal(address, bytes.into(), Side::Host, "reads"))
    }

    /// Writes a number of 1 to 8 bytes as the host does.
    pub(crate) fn write_number(&mut self, address: u64, value: u64, bytes: u8) -> Result<(), Stopped> {
        match self.store(address, value, bytes) {
            Some(()) => Ok(()),
            None => Err(self.refusal(address, bytes.into(), Side::Host, "writes")),
        }
    }

    /// The string at an address, without the zero that ends it, or its beginning of this length.
    pub(crate) fn text(&mut self, address: u64, most: u64) -> Result<&[u8], Stopped> {
        let rest = self.object_at(address).map_or(0, |(object, offset)| self.size(object) - offset);
        let rest = self.read(address, rest.min(most))?;
        let end = rest.iter().position(|&byte| byte == 0);
        let length = end.unwrap_or(rest.len());
        if end.is_none() && count(length) < most {
            return Err(self.refusal(address.wrapping_add(count(length)), 1, Side::Host, "reads"));
        }
        self.touch(count(length));
        self.read(address, count(length))
    }

    /// Copies bytes, which may overlap.
    pub(crate) fn copy(&mut self, to: u64, from: u64, bytes: u64, side: Side) -> Result<(), Stopped> {
        if bytes == 0 {
            return Ok(());
        }
        let length = index(bytes);
        if self.slice(from, length, side).is_none() {
            return Err(self.refusal(from, bytes, side, "reads"));
        }
        if self.slice(to, length, side).is_none() {
            return Err(self.refusal(to, bytes, side, "writes"));
        }
        self.touch(bytes);
        let [source, target] = [from, to].map(|address| index(address >> OFFSET_BITS));
        let [start, at] = [from, to].map(|address| index(address & OFFSET_MASK));
        self.changes += 1;
        self.objects[target].version = self.changes;
        if let Ok([source, target]) = self.objects.get_disjoint_mut([source, target]) {
            target.bytes[at..at + length].copy_from_slice(&source.bytes[start..start + length]);
            target.has_contents |= source.has_contents;
        } else {
            self.objects[target].bytes.copy_within(start..start + length, at);
        }
        Ok(())
    }

    /// Sets bytes.
    pub(crate) fn fill(&mut self, to: u64, byte: u8, bytes: u64, side: Side) -> Result<(), Stopped> {
        if bytes == 0 {
            return Ok(());
        }
        self.touch(bytes);
        match self.slice_mut(to, index(bytes), side) {
            Some(found) => found.fill(byte),
            None => return Err(self.refusal(to, bytes, side, "writes")),
        }
        Ok(())
    }
}

/// Errors of a program.
impl Memory {
    /// The reason why an access is refused.
    #[cold]
    #[inline(never)]
    pub(crate) fn refusal(&self, address: u64, bytes: u64, side: Side, verb: &str) -> Stopped {
        let who = if side == Side::Host { "the host" } else { "the toolkit" };
        let (object, offset) = (address >> OFFSET_BITS, address & OFFSET_MASK);
        let what = format!("{who} {verb} {bytes} byte{}", if bytes == 1 { "" } else { "s" });
        let Some(found) = self.objects.get(index(object)) else {
            return Stopped::fault(format!("{what} at address {address:#x}, where nothing is"));
        };
        if offset > OFFSET_MASK / 2 && self.objects.get(index(object + 1)).is_some_and(|next| side.has(next.kind)) {
            let next = self.description(index(object + 1));
            return Stopped::fault(format!("{what}, {} before the start of {next}", OFFSET_MASK + 1 - offset));
        }
        let described = self.description(index(object));
        match (found.kind, found.origin) {
            (_, Origin::Null) => Stopped::fault(format!("{what} at address {address:#x}, where nothing is")),
            (Kind::Freed, _) => Stopped::fault(format!("{what} of memory that it has freed")),
            (Kind::Function, _) => Stopped::fault(format!("{what} of a function")),
            (Kind::Device, Origin::Variable(_)) if side == Side::Host => {
                Stopped::not_known(format!("{what} of {described}, which is one of the device or of another file"))
            }
            (Kind::Device, _) if side == Side::Host => {
                Stopped::fault(format!("the host accesses memory of the device at offset {offset} of {described}"))
            }
            _ => Stopped::fault(format!("{what} at offset {offset} of {described}")),
        }
    }

    /// The reason why nothing is freed.
    #[cold]
    pub(crate) fn refused_free(&self, address: u64) -> Stopped {
        let object = index(address >> OFFSET_BITS);
        let was_freed =
            self.objects.get(object).is_some_and(|object| object.kind == Kind::Freed && object.origin.is_allocation());
        Stopped::fault(if was_freed {
            "the program frees memory that it has freed".to_owned()
        } else {
            format!("the program frees address {address:#x}, where no allocation begins")
        })
    }

    /// The words for an object with its size.
    fn description(&self, object: usize) -> String {
        let found = &self.objects[object];
        let bytes = format!("of {} bytes", found.bytes.len());
        let place = if found.kind == Kind::Device { " on the device" } else { "" };
        match found.origin {
            Origin::Variable(variable) => {
                format!("the variable `{}` {bytes}", self.names.get(index(variable.into())).map_or("", |name| name))
            }
            Origin::Null => "nothing".into(),
            Origin::Function => "a function".into(),
            Origin::Local => format!("a local variable {bytes}"),
            Origin::Heap | Origin::Toolkit | Origin::Pinned => format!("an allocation {bytes}{place}"),
            Origin::Runtime => format!("an object of the library {bytes}"),
        }
    }
}
