//! The memory of a launch: arrays of bytes, of which only the touched pages exist.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use lockstep_ir::kernel::Array;

use super::images::Image;

/// The size of a page in bytes.
pub const PAGE: u64 = 4096;

/// The size of arrays without a given size.
///
/// It includes every offset that an `int` index of 4-byte elements reaches.
pub const OPEN_SIZE: u64 = 1 << 33;

/// The contents of an array before the launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    /// These bytes, then zeros.
    Bytes(Vec<u8>),
    /// The same element everywhere, as its bytes.
    Same(Vec<u8>),
    /// Element `i` is `i` times the number.
    Count(Element, u64),
    /// Arbitrary elements, from a seed: integers of any value, and floats between 0 and 1.
    Random(Element, u64),
    /// These elements, by their indices, and zeros elsewhere.
    Sparse(Element, BTreeMap<u64, u64>),
    /// A random choice of these patterns for each element, from a seed.
    Among(Element, Vec<u64>, u64),
}

/// The type of an array's elements, with 1, 2, 4 or 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A signed integer with this number of bytes.
    Signed(u8),
    /// An unsigned integer with this number of bytes.
    Unsigned(u8),
    /// A float.
    Float(lockstep_ir::kernel::FloatType),
}

impl Element {
    /// The size of an element in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes.into(),
            Self::Float(ty) => u64::from(ty.width() / 8),
        }
    }

    /// The text of the number with this pattern.
    pub fn show(self, pattern: u64) -> String {
        match self {
            Self::Signed(bytes) => super::machine::signed(bytes * 8, pattern).to_string(),
            Self::Unsigned(_) => pattern.to_string(),
            // As many digits as it takes to distinguish the number from its neighbours.
            Self::Float(lockstep_ir::kernel::FloatType::F32) => {
                let number = f32::from_bits(u32::try_from(pattern & 0xFFFF_FFFF).expect("32 bits are kept"));
                if is_readable(f64::from(number)) { number.to_string() } else { format!("{number:e}") }
            }
            Self::Float(ty) => {
                let number = super::floats::number(ty, pattern);
                if is_readable(number) { number.to_string() } else { format!("{number:e}") }
            }
        }
    }

    /// The pattern of a number.
    fn of_number(self, number: u64) -> u64 {
        match self {
            Self::Signed(_) | Self::Unsigned(_) => number,
            Self::Float(ty) => super::floats::from_integer(ty, None, number),
        }
    }
}

impl Fill {
    /// All zeros.
    pub fn zeros() -> Self {
        Self::Bytes(Vec::new())
    }

    /// Writes the bytes from `start` onwards into a page.
    fn write(&self, start: u64, page: &mut [u8]) {
        match self {
            Self::Bytes(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                let from = bytes.get(start..).unwrap_or_default();
                let count = from.len().min(page.len());
                page[..count].copy_from_slice(&from[..count]);
            }
            Self::Same(element) => {
                let skip = usize::try_from(start % u64::try_from(element.len()).expect("small")).expect("small");
                let bytes = element.iter().cycle().skip(skip);
                page.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            }
            Self::Count(element, step) => {
                Self::each(*element, start, page, |index| element.of_number(index.wrapping_mul(*step)));
            }
            Self::Sparse(element, elements) => {
                Self::each(*element, start, page, |index| elements.get(&index).copied().unwrap_or(0));
            }
            Self::Among(element, patterns, seed) => Self::each(*element, start, page, |index| {
                let drawn = scrambled(seed.wrapping_add(scrambled(index)));
                let count = u64::try_from(patterns.len()).expect("counted");
                patterns[usize::try_from(drawn % count).expect("an index")]
            }),
            Self::Random(element, seed) => Self::each(*element, start, page, |index| {
                let random = scrambled(seed.wrapping_add(scrambled(index)));
                match element {
                    Element::Signed(_) | Element::Unsigned(_) => random,
                    // Numbers of 11 bits are exact in every format.
                    Element::Float(ty) => {
                        let number = f64::from(u16::try_from(random >> 53).expect("11 bits")) / 2048.0;
                        super::floats::pattern(*ty, number)
                    }
                }
            }),
        }
    }

    /// The first bytes.
    pub fn first_bytes(&self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.write(0, &mut bytes);
        bytes
    }

    fn each(element: Element, start: u64, page: &mut [u8], pattern: impl Fn(u64) -> u64) {
        let bytes = usize::try_from(element.bytes()).expect("at most 8");
        for (index, to) in (start / element.bytes()..).zip(page.chunks_mut(bytes)) {
            to.copy_from_slice(&pattern(index).to_le_bytes()[..to.len()]);
        }
    }
}

/// A pseudo-random number that shows no trace of its seed.
///
/// The method is from Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014.
pub fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// One array of the launch.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its size in bytes.
    pub size: u64,
    /// Whether the size was not given.
    pub is_open: bool,
    /// The image in it, if it is one.
    pub image: Option<Image>,
    fill: Arc<Fill>,
    pages: Vec<Option<Page>>,
    /// The number of existing pages.
    count: u64,
    /// Whether accessed bytes are recorded.
    is_watched: bool,
}

#[derive(Clone, Debug)]
struct Page {
    bytes: Box<[u8]>,
    /// The accesses since recording started.
    seen: Option<Box<Seen>>,
}

/// The accessed bytes of a page, one bit for each.
#[derive(Clone, Debug)]
struct Seen {
    read: Bytes,
    written: Bytes,
}

/// A bit for each byte of a page.
type Bytes = [u8; BIT_BYTES];

/// The size in bytes of these bits.
const BIT_BYTES: usize = 512;

const _: () = assert!(PAGE == 8 * 512, "a bit for each byte");

impl Seen {
    fn nothing() -> Self {
        Self { read: [0; BIT_BYTES], written: [0; BIT_BYTES] }
    }

    /// Whether one side accesses bytes that the other one writes.
    fn conflicts(&self, other: &Self) -> bool {
        let mut bits = 0;
        for at in 0..BIT_BYTES {
            let (here, there) = (self.read[at] | self.written[at], other.read[at] | other.written[at]);
            bits |= (here & other.written[at]) | (there & self.written[at]);
        }
        bits != 0
    }

    fn join(&mut self, other: &Self) {
        self.read.iter_mut().zip(&other.read).for_each(|(to, from)| *to |= from);
        self.written.iter_mut().zip(&other.written).for_each(|(to, from)| *to |= from);
    }
}

/// Marks up to 8 bytes, starting at `start`, which are on one page.
fn mark(seen: &mut Bytes, start: usize, bytes: usize) {
    let [low, high] = (((1u16 << bytes) - 1) << (start % 8)).to_le_bytes();
    seen[start / 8] |= low;
    if high != 0 {
        seen[start / 8 + 1] |= high;
    }
}

impl Region {
    /// An array of this size.
    pub fn new(size: u64, fill: Fill) -> Self {
        Self { size, is_open: false, image: None, fill: Arc::new(fill), pages: Vec::new(), count: 0, is_watched: false }
    }

    /// Its initial contents.
    pub fn fill(&self) -> &Fill {
        &self.fill
    }

    /// The total size of the existing pages.
    pub fn touched(&self) -> u64 {
        PAGE * self.count
    }

    /// One past the last touched byte, rounded up to a page.
    pub fn reach(&self) -> u64 {
        (PAGE * u64::try_from(self.pages.len()).expect("counted")).min(self.size)
    }

    fn page(&mut self, index: u64) -> &mut Page {
        let at = usize::try_from(index).expect("arrays are smaller than the address space");
        if at >= self.pages.len() {
            self.pages.resize_with(at + 1, || None);
        }
        let (fill, count, is_watched) = (&self.fill, &mut self.count, self.is_watched);
        self.pages[at].get_or_insert_with(|| {
            let mut bytes = vec![0; usize::try_from(PAGE).expect("small")].into_boxed_slice();
            fill.write(index * PAGE, &mut bytes);
            *count += 1;
            Page { bytes, seen: is_watched.then(|| Box::new(Seen::nothing())) }
        })
    }

    /// Reads up to 8 bytes, which must be in bounds.
    pub fn load(&mut self, offset: u64, bytes: usize) -> u64 {
        let start = usize::try_from(offset % PAGE).expect("small");
        let page = self.page(offset / PAGE);
        if let Some(from) = page.bytes.get(start..start + bytes) {
            if let Some(seen) = &mut page.seen {
                mark(&mut seen.read, start, bytes);
            }
            return number(from);
        }
        let mut whole = [0; 8];
        whole[..bytes].iter_mut().zip(offset..).for_each(|(to, at)| *to = self.byte(at));
        u64::from_le_bytes(whole)
    }

    /// Writes up to 8 bytes, which must be in bounds.
    pub fn store(&mut self, offset: u64, bytes: usize, value: u64) {
        let start = usize::try_from(offset % PAGE).expect("small");
        let page = self.page(offset / PAGE);
        match page.bytes.get_mut(start..start + bytes) {
            Some(to) => {
                write(to, value);
                if let Some(seen) = &mut page.seen {
                    mark(&mut seen.written, start, bytes);
                }
            }
            None => {
                for (at, byte) in (offset..).zip(&value.to_le_bytes()[..bytes]) {
                    self.store(at, 1, (*byte).into());
                }
            }
        }
    }

    fn byte(&mut self, offset: u64) -> u8 {
        self.load(offset, 1).to_le_bytes()[0]
    }

    // --- Several runs on one input
    // ------------------------------------------------------------------

    /// Starts to record accessed bytes.
    pub fn watch(&mut self) {
        self.is_watched = true;
        for page in self.pages.iter_mut().flatten() {
            page.seen = Some(Box::new(Seen::nothing()));
        }
    }

    /// Stops recording, and discards the records.
    pub fn look_away(&mut self) {
        self.is_watched = false;
        self.pages.iter_mut().flatten().for_each(|page| page.seen = None);
    }

    /// The elements of this size that were read, by number; `None` if some were written.
    pub fn read_only(&self, bytes: usize) -> Option<BTreeMap<u64, u64>> {
        let mut elements = BTreeMap::new();
        let of_page = u64::try_from(BIT_BYTES * 8 / bytes).unwrap_or(1);
        for (index, page) in (0..).zip(&self.pages) {
            let Some(page) = page else { continue };
            let Some(seen) = page.seen.as_deref() else { continue };
            if seen.written.iter().any(|bits| *bits != 0) {
                return None;
            }
            for (at, element) in (0..).zip(page.bytes.chunks_exact(bytes)) {
                let start = usize::try_from(at).unwrap_or(0) * bytes;
                let is_read = (start..start + bytes).any(|byte| seen.read[byte / 8] >> (byte % 8) & 1 != 0);
                if is_read {
                    elements.insert(index * of_page + at, number(element));
                }
            }
        }
        Some(elements)
    }

    /// Whether no byte written in one run was accessed in another.
    ///
    /// The runs must have started with the same contents and recorded all accesses.
    pub fn are_independent(all: &[&Self]) -> bool {
        let pages = all.iter().map(|region| region.pages.len()).max().unwrap_or(0);
        (0..pages).all(|index| {
            let mut seen = all.iter().filter_map(|region| region.pages.get(index)?.as_ref()?.seen.as_deref());
            let (Some(first), Some(second)) = (seen.next(), seen.next()) else { return true };
            if first.conflicts(second) {
                return false;
            }
            let mut before = first.clone();
            before.join(second);
            seen.all(|next| {
                let is_apart = !before.conflicts(next);
                before.join(next);
                is_apart
            })
        })
    }

    /// Merges the pages of an independent run that started with the same contents.
    pub fn take_over(&mut self, other: Self) {
        if self.pages.len() < other.pages.len() {
            self.pages.resize_with(other.pages.len(), || None);
        }
        for (mine, theirs) in self.pages.iter_mut().zip(other.pages) {
            match (mine, theirs) {
                (_, None) => {}
                (Some(mine), Some(theirs)) => mine.take_over(&theirs),
                (mine @ None, theirs) => {
                    *mine = theirs;
                    self.count += 1;
                }
            }
        }
    }

    /// All bytes up to `end`, page by page; untouched pages are generated on the fly and discarded.
    pub fn contents(&self, end: u64) -> impl Iterator<Item = Vec<u8>> + '_ {
        let mut start = 0;
        iter::from_fn(move || {
            let left = end.checked_sub(start).filter(|left| *left > 0)?.min(PAGE);
            let index = usize::try_from(start / PAGE).expect("arrays are smaller than the address space");
            let mut page = if let Some(Some(page)) = self.pages.get(index) {
                page.bytes.to_vec()
            } else {
                let mut page = vec![0; usize::try_from(PAGE).expect("small")];
                self.fill.write(start, &mut page);
                page
            };
            page.truncate(usize::try_from(left).expect("small"));
            start += left;
            Some(page)
        })
    }
}

impl Page {
    fn take_over(&mut self, other: &Self) {
        let Some(seen) = &other.seen else { return };
        for (at, &bits) in seen.written.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let cells = 8 * at..8 * (at + 1);
            let (to, from) = (&mut self.bytes[cells.clone()], &other.bytes[cells]);
            for (bit, (to, from)) in to.iter_mut().zip(from).enumerate() {
                if bits >> bit & 1 == 1 {
                    *to = *from;
                }
            }
        }
    }
}

/// The little-endian number of up to 8 bytes.
pub fn number(bytes: &[u8]) -> u64 {
    if let [a, b, c, d] = *bytes {
        return u32::from_le_bytes([a, b, c, d]).into();
    }
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

/// Writes the low bytes of a number.
pub fn write(to: &mut [u8], value: u64) {
    let count = to.len();
    to.copy_from_slice(&value.to_le_bytes()[..count]);
}

/// Memory addresses: every array has a separate part of the address space.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// The distance between two arrays.
    spacing: u64,
    /// The mask that truncates an address.
    mask: u64,
}

impl Addresses {
    /// The addresses for this number of arrays, with pointers of this size in bytes.
    pub fn new(arrays: usize, pointer_bytes: u8) -> Self {
        let bits = u32::from(pointer_bytes) * 8;
        let count = u64::try_from(arrays).expect("counted") + 2;
        let spacing = if bits == 64 { 1 << 40 } else { ((1u64 << bits) / count) & !0xFFF };
        Self { spacing, mask: u64::MAX >> (64 - bits) }
    }

    /// The largest size of an array whose pointers can be distinguished from those of others.
    pub fn largest(self) -> u64 {
        self.spacing / 2
    }

    /// The address of a pointer: 0 for the null pointer.
    pub fn address(self, array: u64, offset: u64) -> u64 {
        array.wrapping_mul(self.spacing).wrapping_add(offset) & self.mask
    }

    /// The pointer with an address: the nearest array (plus one), and the offset; null for 0.
    pub fn pointer(self, address: u64, arrays: usize) -> (u64, u64) {
        let array = address.wrapping_add(self.spacing / 2) / self.spacing;
        let known = usize::try_from(array).is_ok_and(|array| array <= arrays);
        if known { (array, address.wrapping_sub(array * self.spacing)) } else { (0, address) }
    }
}

/// An access out of bounds, or to no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The array; `None` for the null pointer.
    pub array: Option<Array>,
    /// The byte.
    pub offset: i64,
}
/// Whether a float reads well without an exponent.
fn is_readable(number: f64) -> bool {
    number == 0.0 || !number.is_finite() || (1e-5..1e16).contains(&number.abs())
}
