//! The final contents of the arrays that a run was given.

use std::fmt;

use lockstep_ir::kernel::{ArrayData, ArrayOrigin, VerifiedKernel};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::interpreter::memory::{self, Element, Region};

/// The number of elements that are shown.
const SHOWN: u64 = 8;

/// An array given to the kernel, with its final contents.
#[derive(Serialize)]
pub struct Shown {
    name: String,
    bytes: u64,
    /// The first 16 digits of the SHA-256 of its bytes.
    digest: String,
    /// The number of elements, if the parameter tells their type.
    elements: Option<u64>,
    /// The first elements.
    first: Vec<String>,
}

impl Shown {
    fn new(data: &ArrayData, region: &Region, element: Option<Element>) -> Self {
        let bytes = length(region);
        let elements = element.map(|element| bytes / element.bytes());
        let first = element.zip(elements).map(|(element, elements)| first(region, element, elements.min(SHOWN)));
        let (name, digest) = (data.name.clone(), digest(region, bytes));
        Self { name, bytes, digest, elements, first: first.unwrap_or_default() }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, bytes, digest, elements, first } = self;
        let Some(elements) = elements else { return write!(f, "{name}: {bytes} bytes, digest {digest}") };
        let more = if *elements > SHOWN { ", …" } else { "" };
        write!(f, "{name}: {elements} elements, digest {digest}: {}{more}", first.join(", "))
    }
}

/// The arrays given to the kernel, with their final contents.
pub fn shown(kernel: &VerifiedKernel, regions: &[Region], elements: &[Option<Element>]) -> Vec<Shown> {
    let arrays = kernel.arrays.values().zip(regions).zip(elements);
    let given = arrays.filter(|((data, region), _)| is_given(data) && region.size > 0);
    given.map(|((data, region), element)| Shown::new(data, region, *element)).collect()
}

/// Whether an array is a parameter's target, or an image.
pub fn is_given(data: &ArrayData) -> bool {
    matches!(data.origin, ArrayOrigin::Parameter | ArrayOrigin::Image { .. })
}

/// The number of bytes to report: all, or up to the last touched page if the array has no size.
pub fn length(region: &Region) -> u64 {
    if region.is_open { region.reach() } else { region.size }
}

/// The most bytes that are digested: larger arrays would take longer than most runs.
const MOST_DIGESTED: u64 = 1 << 30;

/// The first 16 digits of the SHA-256 of an array's bytes.
fn digest(region: &Region, bytes: u64) -> String {
    if bytes > MOST_DIGESTED {
        return "not computed".to_owned();
    }
    let mut hash = Sha256::new();
    region.contents(bytes).for_each(|page| hash.update(page));
    hash.finalize().iter().take(8).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn first(region: &Region, element: Element, elements: u64) -> Vec<String> {
    let bytes = usize::try_from(element.bytes()).expect("at most 8");
    let contents: Vec<u8> = region.contents(elements * element.bytes()).flatten().collect();
    contents.chunks(bytes).map(|chunk| element.show(memory::number(chunk))).collect()
}
