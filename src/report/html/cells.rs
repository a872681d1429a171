//! A picture of an array around the place of a finding: its elements, and the bytes that each
//! thread touches.

use lockstep_findings::race::place;
use lockstep_verdict::Finding;
use lockstep_verdict::picture::{ArrayShape, Picture, Touched};

use super::drawing::{Drawing, WIDTH};
use crate::count;

/// The maximum number of elements shown around the touched ones.
const MOST: i64 = 12;

/// The widest element.
const WIDEST: i32 = 56;

/// The width of a gap where elements are left out.
const BREAK: i32 = 28;

/// The upper edge of the elements.
const TOP: i32 = 62;

/// The height of the elements.
const HEIGHT: i32 = 30;

/// A column of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// An element, by its index.
    Element(i64),
    /// A gap where elements are left out.
    Break,
}

/// The bytes that an access touches, from the first to the one behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: i64,
    to: i64,
}

impl Range {
    fn of(touched: Touched) -> Option<Self> {
        let to = touched.first.checked_add(i64::try_from(touched.bytes).ok().filter(|bytes| *bytes > 0)?)?;
        Some(Self { from: touched.first, to })
    }

    fn common(self, other: Self) -> Option<Self> {
        let common = Self { from: self.from.max(other.from), to: self.to.min(other.to) };
        (common.from < common.to).then_some(common)
    }

    /// `byte 4`, `bytes 4–7`.
    fn in_words(self) -> String {
        match self.to - self.from {
            1 => format!("byte {}", self.from),
            _ => format!("bytes {}–{}", self.from, self.to - 1),
        }
    }
}

/// The picture and its caption; `None` if the touched bytes are not known.
pub fn drawing(finding: &Finding, picture: &Picture, id: String) -> Option<(Drawing, String)> {
    let shape = picture.array.as_ref()?;
    let touched: Vec<(usize, Range)> = picture
        .touched
        .iter()
        .enumerate()
        .take(2)
        .filter_map(|(index, touched)| Some((index + 1, Range::of((*touched)?)?)))
        .collect();
    if touched.is_empty() {
        return None;
    }
    let element = i64::try_from(shape.element_bytes).ok().filter(|bytes| *bytes > 0)?;
    let size = shape.bytes.and_then(|bytes| i64::try_from(bytes).ok()).map(|bytes| bytes / element);
    let focus = finding.offset_bytes.and_then(|byte| i64::try_from(byte).ok());
    let columns = columns(&touched, element, size, focus);
    let mut scene =
        Scene::new(shape, element, size, columns, Drawing::new(id, format!("Where {} is touched", shape.name)));
    scene.draw(&touched);
    let caption = caption(shape, &touched, size);
    scene.drawing.description.clone_from(&caption);
    Some((scene.drawing, caption))
}

/// The touched bytes, in words.
fn caption(shape: &ArrayShape, touched: &[(usize, Range)], size: Option<i64>) -> String {
    let touches = |(number, range): &(usize, Range)| format!("({number}) touches {}", range.in_words());
    let what = match touched {
        [(_, first), (_, second)] if first == second => format!("(1) and (2) both touch {}", first.in_words()),
        [(_, first), (_, second)] => {
            let met = first.common(*second).map_or("no byte".to_owned(), Range::in_words);
            format!("{}, {}, and they meet in {met}", touches(&touched[0]), touches(&touched[1]))
        }
        _ => touched.iter().map(touches).collect(),
    };
    let unit = match &shape.element {
        Some(name) => format!("a cell is one {name}, {}", count(shape.element_bytes, "byte")),
        None => "a cell is a byte".to_owned(),
    };
    let outside = match size {
        Some(size) if touched.iter().any(|(_, range)| outside(*range, shape, size)) => {
            format!("; {} has {}", shape.name, count(u64::try_from(size).unwrap_or(0), "element"))
        }
        _ => String::new(),
    };
    format!("{what}; {unit}{outside}.")
}

fn outside(range: Range, shape: &ArrayShape, size: i64) -> bool {
    range.from < 0 || i64::try_from(shape.element_bytes).is_ok_and(|bytes| range.to > size.saturating_mul(bytes))
}

/// The elements to show: the touched ones and two on each side. If they lie outside the array, its
/// edge is shown too.
fn columns(touched: &[(usize, Range)], element: i64, size: Option<i64>, focus: Option<i64>) -> Vec<Column> {
    let mut low = touched.iter().map(|(_, range)| range.from.div_euclid(element)).min().unwrap_or(0);
    let mut high = touched.iter().map(|(_, range)| (range.to - 1).div_euclid(element)).max().unwrap_or(0);
    if high - low >= MOST {
        let middle = focus.map_or(low, |byte| byte.div_euclid(element)).clamp(low, high);
        (low, high) = ((middle - MOST / 2).max(low), (middle + MOST / 2).min(high));
    }
    let elements = |from: i64, to: i64| (from..=to).map(Column::Element);
    let last = size.map(|size| size - 1);
    if let Some(last) = last.filter(|last| high > *last) {
        let from = (last - 1).max(0);
        if low <= last + 3 {
            return elements(from.min((low - 1).max(0)), high + 1).collect();
        }
        return elements(from, last).chain([Column::Break]).chain(elements(low - 1, high + 1)).collect();
    }
    if low < 0 {
        if high >= -3 {
            return elements(low - 1, high.max(1)).collect();
        }
        return elements(low - 1, high + 1).chain([Column::Break]).chain(elements(0, 1)).collect();
    }
    elements((low - 2).max(0), last.map_or(high + 2, |last| last.min(high + 2))).collect()
}

struct Scene<'a> {
    shape: &'a ArrayShape,
    element: i64,
    size: Option<i64>,
    /// The columns, each with its left edge and its width.
    columns: Vec<(Column, i32, i32)>,
    drawing: Drawing,
}

impl<'a> Scene<'a> {
    fn new(shape: &'a ArrayShape, element: i64, size: Option<i64>, columns: Vec<Column>, drawing: Drawing) -> Self {
        let breaks = i32::try_from(columns.iter().filter(|column| **column == Column::Break).count()).unwrap_or(0);
        let elements = i32::try_from(columns.len()).unwrap_or(1).saturating_sub(breaks).max(1);
        let width = ((WIDTH - 4 - breaks * BREAK) / elements).min(WIDEST);
        let mut x = 2;
        let placed = columns.into_iter().map(|column| {
            let width = if column == Column::Break { BREAK } else { width };
            x += width;
            (column, x - width, width)
        });
        Self { shape, element, size, columns: placed.collect(), drawing }
    }

    fn draw(&mut self, touched: &[(usize, Range)]) {
        self.elements();
        for &(number, range) in touched {
            self.fill(if number == 1 { "touched-1" } else { "touched-2" }, range, TOP, HEIGHT);
        }
        if let [(_, first), (_, second)] = touched
            && let Some(common) = first.common(*second)
        {
            self.fill("shared", common, TOP, HEIGHT);
        }
        self.ticks(touched);
        self.edges();
        for &(number, range) in touched {
            let (bar, badge) = if number == 1 { (TOP - 12, TOP - 28) } else { (TOP + HEIGHT + 4, TOP + HEIGHT + 28) };
            if let Some((from, to)) = self.fill(if number == 1 { "bar-1" } else { "bar-2" }, range, bar, 8) {
                self.drawing.badge((i32::midpoint(from, to), badge), number);
            }
        }
        self.labels(touched);
        let below = touched.iter().any(|(number, _)| *number == 2);
        self.drawing.height = TOP + HEIGHT + if below { 44 } else { 8 };
    }

    fn elements(&mut self) {
        for &(column, x, width) in &self.columns {
            match column {
                Column::Element(index) => {
                    let class = if self.is_outside(index) { "outside" } else { "element" };
                    self.drawing.rectangle(class, (x, TOP), (width, HEIGHT));
                }
                Column::Break => self.drawing.text("quiet", (x + width / 2, TOP + HEIGHT / 2 + 4), "⋯"),
            }
        }
    }

    fn is_outside(&self, index: i64) -> bool {
        index < 0 || self.size.is_some_and(|size| index >= size)
    }

    /// Fills the shown part of these bytes. Returns its left and right edge.
    fn fill(&mut self, class: &'static str, range: Range, y: i32, height: i32) -> Option<(i32, i32)> {
        let mut ends: Option<(i32, i32)> = None;
        for &(column, x, width) in &self.columns {
            let Column::Element(index) = column else { continue };
            let first = index * self.element;
            let Some(part) = range.common(Range { from: first, to: first + self.element }) else { continue };
            let at = |byte: i64| {
                let part = i64::from(width) * (byte - first) / self.element;
                x + i32::try_from(part).unwrap_or(0)
            };
            let (from, to) = (at(part.from), at(part.to));
            ends = Some(ends.map_or((from, to), |(start, _)| (start, to)));
        }
        let (from, to) = ends?;
        self.drawing.rectangle(class, (from, y), ((to - from).max(3), height));
        Some((from, to))
    }

    /// Marks the bytes of elements where an access does not begin and end at an element boundary.
    fn ticks(&mut self, touched: &[(usize, Range)]) {
        let is_whole = |range: &Range| range.from % self.element == 0 && range.to % self.element == 0;
        if touched.iter().all(|(_, range)| is_whole(range)) {
            return;
        }
        let bytes = i32::try_from(self.element).unwrap_or(i32::MAX);
        for &(column, x, width) in &self.columns {
            if column != Column::Break && width / bytes >= 6 {
                for byte in 1..bytes {
                    let x = x + width * byte / bytes;
                    self.drawing.line("tick", (x, TOP + HEIGHT - 7), (x, TOP + HEIGHT));
                }
            }
        }
    }

    /// Marks the beginning and the end of the array, if something outside is shown.
    fn edges(&mut self) {
        let mut edges = Vec::new();
        for pair in self.columns.windows(2) {
            if let [(Column::Element(before), ..), (Column::Element(index), x, _)] = pair
                && self.is_outside(*before) != self.is_outside(*index)
            {
                edges.push(*x);
            }
        }
        for x in edges {
            self.drawing.line("edge", (x, TOP - 6), (x, TOP + HEIGHT + 6));
        }
    }

    /// The indices, as far as there is room. Those of touched elements have priority.
    fn labels(&mut self, touched: &[(usize, Range)]) {
        let is_first = |index: i64| touched.iter().any(|(_, range)| range.from.div_euclid(self.element) == index);
        let fits = self.columns.iter().all(|&(column, _, width)| match column {
            Column::Element(index) => self.width_of(index) <= width,
            Column::Break => true,
        });
        let mut free = 0;
        for &(column, x, width) in &self.columns {
            let Column::Element(index) = column else { continue };
            let half = self.width_of(index) / 2;
            let middle = (x + width / 2).clamp(half, (WIDTH - half).max(half));
            if fits || (is_first(index) && middle - half >= free) {
                let class = if is_first(index) { "strong index" } else { "quiet index" };
                self.drawing.text(class, (middle, 14), self.index(index));
                free = middle + half;
            }
        }
    }

    fn width_of(&self, index: i64) -> i32 {
        i32::try_from(self.index(index).chars().count()).unwrap_or(i32::MAX / 8) * 7
    }

    /// The index as the source writes it, `[3][4]`.
    fn index(&self, index: i64) -> String {
        match u64::try_from(index) {
            Ok(index) if self.shape.dimensions.len() > 1 => {
                let layout = lockstep_ir::kernel::ElementLayout {
                    name: String::new(),
                    bytes: self.shape.element_bytes,
                    dimensions: self.shape.dimensions.clone(),
                };
                place("", Some(&layout), index * self.shape.element_bytes)
            }
            _ => format!("[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(touched: &[(i64, i64)], element: i64, size: Option<i64>) -> Vec<Option<i64>> {
        let touched: Vec<(usize, Range)> =
            (1..).zip(touched.iter().map(|&(from, bytes)| Range { from, to: from + bytes })).collect();
        let index = |column: Column| match column {
            Column::Element(index) => Some(index),
            Column::Break => None,
        };
        columns(&touched, element, size, None).into_iter().map(index).collect()
    }

    #[test]
    fn two_elements_on_each_side_are_shown() {
        let some = |from: i64, to: i64| (from..=to).map(Some).collect::<Vec<_>>();
        assert_eq!(elements(&[(40, 4), (40, 4)], 4, None), some(8, 12));
        assert_eq!(elements(&[(4, 4), (0, 16)], 4, Some(5)), some(0, 4));
        assert_eq!(elements(&[(41, 1)], 4, None), some(8, 12));
    }

    #[test]
    fn outside_of_the_array_its_edge_is_shown() {
        let some = |all: &[i64]| all.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(elements(&[(16, 4)], 4, Some(4)), some(&[2, 3, 4, 5]));
        assert_eq!(elements(&[(400, 4)], 4, Some(4)), [some(&[2, 3]), vec![None], some(&[99, 100, 101])].concat());
        assert_eq!(elements(&[(-4, 4)], 4, Some(4)), some(&[-2, -1, 0, 1]));
        assert_eq!(elements(&[(-400, 4)], 4, Some(4)), [some(&[-101, -100, -99]), vec![None], some(&[0, 1])].concat());
    }

    #[test]
    fn accesses_of_different_widths_meet_in_part() {
        let [wide, narrow] = [Range { from: 4, to: 8 }, Range { from: 6, to: 7 }];
        assert_eq!(wide.common(narrow), Some(narrow));
        assert_eq!((wide.in_words(), narrow.in_words()), ("bytes 4–7".to_owned(), "byte 6".to_owned()));
        assert_eq!(wide.common(Range { from: 8, to: 9 }), None);
    }
}
