//! A size: of a group, of a launch, in groups or in threads.

use super::LaunchError;

/// The largest size of a dimension: more threads than any device runs.
pub const LARGEST: u64 = 1 << 31;

/// The size of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// This many, at least 1.
    Known(u32),
    /// Any number that a device could run.
    Open,
}

impl Extent {
    /// The number, if known.
    pub fn known(self) -> Option<u32> {
        match self {
            Self::Known(number) => Some(number),
            Self::Open => None,
        }
    }
}

/// A size as it was given: one to three dimensions.
pub type Size = Vec<Extent>;

/// Reads a size: `64`, `16x16`, `16,16`, `[16,16]`, `*`.
pub fn parse_size(text: &str) -> Result<Size, LaunchError> {
    let inner = text.trim();
    let inner = match inner.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').ok_or_else(|| LaunchError::NotASize(text.to_owned()))?,
        None => inner,
    };
    let extents = inner.split([',', 'x']).map(|part| parse_extent(part.trim(), text)).collect::<Result<Size, _>>()?;
    if extents.len() > 3 {
        return Err(LaunchError::TooManyDimensions(text.to_owned()));
    }
    Ok(extents)
}

fn parse_extent(part: &str, text: &str) -> Result<Extent, LaunchError> {
    if part == "*" {
        return Ok(Extent::Open);
    }
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(LaunchError::NotASize(text.to_owned()));
    }
    // All digits: a number that does not fit into 64 bits is too large as well.
    match part.parse::<u64>() {
        Ok(0) => Err(LaunchError::Zero(text.to_owned())),
        Ok(number) if number <= LARGEST => {
            Ok(Extent::Known(u32::try_from(number).map_err(|_| LaunchError::TooLarge(text.to_owned()))?))
        }
        _ => Err(LaunchError::TooLarge(text.to_owned())),
    }
}

/// A size in three dimensions: the given ones, then 1. If nothing is given, the first `dimensions`
/// are open.
pub fn padded(size: Option<&Size>, dimensions: usize) -> [Extent; 3] {
    std::array::from_fn(|dimension| match size {
        Some(size) => size.get(dimension).copied().unwrap_or(Extent::Known(1)),
        None if dimension < dimensions => Extent::Open,
        None => Extent::Known(1),
    })
}

/// The number of threads (or groups) of such a size, if all of it is known.
pub fn known_product(size: &[Extent; 3]) -> Option<u64> {
    size.iter().try_fold(1u64, |product, extent| Some(product.saturating_mul(u64::from(extent.known()?))))
}

/// The smallest number of threads (or groups) of such a size.
pub fn least_product(size: &[Extent; 3]) -> u64 {
    size.iter().filter_map(|extent| extent.known()).map(u64::from).fold(1, u64::saturating_mul)
}

/// A size in the usual notation.
pub fn show(size: &[Extent], separator: &str) -> String {
    let extents = size.iter().map(|extent| extent.known().map_or("*".to_owned(), |number| number.to_string()));
    extents.collect::<Vec<_>>().join(separator)
}
