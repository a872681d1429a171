//! Images that are read and written by integer coordinates.
//!
//! The host chooses the memory format of a pixel, and this determines conversions. Here, the format
//! is the one that the kernel reads and writes. It is four channels of 32 bits (`CL_RGBA` of
//! `CL_FLOAT`, `CL_SIGNED_INT32` or `CL_UNSIGNED_INT32`, by the function), four halves, or the one
//! float of a depth image. So nothing is converted, and the results are exact for these formats.
//! Reads with a sampler are refused.

use lockstep_ir::kernel::{Array, ArrayData, ArrayOrigin, Kernel, Operation};

use super::arguments::{Filled, filled};
use super::code::{Code, ImageStep, Position};
use super::events::Wrong;
use super::machine::{Reach, Thread};
use super::memory::{Fill, Region};

/// The pixels of an image, and their layout in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The number of pixels in each dimension; 1 in dimensions that the image does not have.
    pub sizes: [u64; 3],
    /// The number of dimensions, including the index into an array of images.
    pub dimensions: u8,
    /// The size of a pixel in bytes.
    pub pixel_bytes: u64,
}

/// A pixel, by coordinates that may be out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixel {
    /// The coordinates; 0 in dimensions that the image does not have.
    pub coordinates: [i64; 3],
    /// The number of dimensions.
    pub dimensions: u8,
}

impl std::fmt::Display for Pixel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let used = &self.coordinates[..usize::from(self.dimensions)];
        write!(f, "({})", used.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    }
}

impl std::fmt::Display for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let used = &self.sizes[..usize::from(self.dimensions)];
        f.write_str(&used.iter().map(ToString::to_string).collect::<Vec<_>>().join("x"))
    }
}

impl Image {
    fn pixels(&self) -> u64 {
        self.sizes.iter().fold(1, |product: u64, &size| product.saturating_mul(size))
    }

    /// The first byte of a pixel, if it is in bounds.
    fn offset(&self, pixel: Pixel) -> Option<u64> {
        let [x, y, z] = pixel.coordinates.map(|coordinate| u64::try_from(coordinate).ok());
        let (x, y, z) = (x?, y?, z?);
        let [width, height, depth] = self.sizes;
        (x < width && y < height && z < depth).then(|| ((z * height + y) * width + x) * self.pixel_bytes)
    }

    /// The pixel that contains a byte.
    pub fn pixel(&self, byte: u64) -> Pixel {
        let [width, height, _] = self.sizes;
        let number = byte / self.pixel_bytes;
        let coordinates = [number % width, number / width % height, number / width / height];
        let coordinates = coordinates.map(|coordinate| i64::try_from(coordinate).expect("smaller than a size"));
        Pixel { coordinates, dimensions: self.dimensions }
    }
}

/// The number of dimensions of an array as an image, if it is one.
fn dimensions(data: &ArrayData) -> Option<u8> {
    match data.origin {
        ArrayOrigin::Image { dimensions } => Some(dimensions),
        ArrayOrigin::Parameter
        | ArrayOrigin::Variable
        | ArrayOrigin::Library
        | ArrayOrigin::Stack
        | ArrayOrigin::Aggregate => None,
    }
}

/// The size in bytes of the pixels that the kernel accesses in an image by coordinates.
///
/// It is `None` if the sizes differ, or if an access may be to another image.
pub fn pixel_bytes(kernel: &Kernel, array: Array) -> Option<u64> {
    let mut all: Vec<u64> = Vec::new();
    for data in kernel.instructions.values() {
        let (image, value) = match data.operation {
            Operation::ImageRead { image, .. } => (image, data.result),
            Operation::ImageWrite { image, value, .. } => (image, Some(value)),
            _ => continue,
        };
        match kernel.operation(image) {
            Some(Operation::ArrayBase(of)) if *of == array => {
                let bits = value.and_then(|value| kernel.ty(value).width())?;
                all.push(u64::from(bits.div_ceil(8)));
            }
            Some(Operation::ArrayBase(_)) => {}
            _ => return None,
        }
    }
    all.dedup();
    match all.as_slice() {
        [] => Some(16),
        [bytes] => Some(*bytes),
        _ => None,
    }
}

/// The memory of an image, and its description in words.
///
/// The text is `VALUE*WIDTHxHEIGHT`, where the value is that of an array without a number of
/// elements. Each element is a channel of a pixel. By default, the image has zeros, and as many
/// pixels as devices allow or `largest` bytes hold.
pub fn image(text: Option<&str>, kernel: &Kernel, array: Array, largest: u64) -> Result<(Region, String), String> {
    let data = &kernel.arrays[array];
    let dimensions = dimensions(data).ok_or("it is no image")?;
    let pixel_bytes = pixel_bytes(kernel, array).unwrap_or(16);
    let Some(text) = text else {
        let sizes = match dimensions {
            1 => [1 << 16, 1, 1],
            2 => [1 << 14, 1 << 14, 1],
            _ => [1 << 11, 1 << 11, 1 << 6],
        };
        let mut image = Image { sizes, dimensions, pixel_bytes };
        while image.pixels() * pixel_bytes > largest {
            image.sizes.iter_mut().for_each(|size| *size = (*size / 2).max(1));
        }
        let mut region = Region::new(image.pixels() * pixel_bytes, Fill::zeros());
        (region.image, region.is_open) = (Some(image), true);
        return Ok((region, format!("zeros*{image}")));
    };
    let wrong = || {
        let sizes = ["64", "64x64", "64x64x4"][usize::from(dimensions.clamp(1, 3)) - 1];
        format!("an image is given with its sizes: such as zeros:float*{sizes}")
    };
    let (contents, sizes) = text.rsplit_once('*').ok_or_else(wrong)?;
    let given: Vec<u64> =
        sizes.split('x').map(|size| size.trim().parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    if given.len() != usize::from(dimensions) || given.contains(&0) {
        return Err(wrong());
    }
    let mut sizes = [1; 3];
    sizes[..given.len()].copy_from_slice(&given);
    let image = Image { sizes, dimensions, pixel_bytes };
    let bytes = image.pixels().saturating_mul(pixel_bytes);
    if bytes > largest {
        return Err(format!("{bytes} bytes are too many: fewer than {largest} can be given"));
    }
    let Filled { fill, size, .. } = filled(contents, data)?;
    if let Some(size) = size.filter(|size| *size != bytes) {
        return Err(format!("{size} bytes are not what {image} pixels of {pixel_bytes} bytes take"));
    }
    let mut region = Region::new(bytes, fill);
    region.image = Some(image);
    Ok((region, text.to_owned()))
}

/// The answer to a query of an image, by the name of the function.
pub fn ask(name: &str, image: Image) -> Option<u64> {
    let [width, height, depth] = image.sizes;
    match name {
        "get_image_width" => Some(width),
        "get_image_height" => Some(height),
        "get_image_depth" => Some(depth),
        "get_image_array_size" => Some(if image.dimensions == 2 { height } else { depth }),
        _ => None,
    }
}

impl Reach<'_> {
    /// Reads or writes a pixel.
    pub fn access_image(&mut self, thread: &mut Thread, step: &ImageStep, here: Position) {
        let place = self.place_of_pixel(thread, step, here);
        let bytes = u64::from(step.bits.div_ceil(8));
        match (place, step.writes) {
            (Some(place), true) => self.store_at(thread, step.bits, step.value, place, here),
            (Some(place), false) => {
                self.watch_read(thread, place, bytes, here);
                self.load_from(thread, step.bits, step.value, Some(place));
            }
            (None, true) => {}
            (None, false) => self.load_from(thread, step.bits, step.value, None),
        }
    }

    fn place_of_pixel(&mut self, thread: &Thread, step: &ImageStep, here: Position) -> Option<(Array, u64)> {
        let array = Code::array(thread.get(step.pointer));
        let image = array.and_then(|array| self.image_of(array));
        let (Some(array), Some(image)) = (array, image) else {
            let bytes = step.bits.div_ceil(8).into();
            self.wrong(thread, Wrong::OutOfBounds { array: None, offset: 0, bytes, writes: step.writes }, here);
            return None;
        };
        let mut coordinates = [0; 3];
        for (to, &register) in coordinates.iter_mut().zip(&step.coordinates) {
            *to = super::machine::signed(32, thread.get(register));
        }
        let pixel = Pixel { coordinates, dimensions: image.dimensions };
        let offset = image.offset(pixel);
        if offset.is_none() {
            self.wrong(thread, Wrong::OutsideImage { array, pixel, image, writes: step.writes }, here);
        }
        Some((array, offset?))
    }

    /// The image that an array represents.
    pub fn image_of(&self, array: Array) -> Option<Image> {
        self.regions[usize::try_from(array.as_u32()).expect("few")].image
    }
}
