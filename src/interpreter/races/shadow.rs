//! The shadow of an array: for every byte, the accesses relevant to later ones.
//!
//! A **cell** represents four bytes, or one if they were accessed separately (then the whole page
//! of 4096 bytes switches over). It holds up to two stamps directly. More are rare and stored in a
//! separate list. So a page takes 4 bytes for each of its own, or 16; an untouched page takes none
//! (the BARRACUDA paper, section 4.3.3, uses 32 for every byte).

use smallvec::SmallVec;

use super::super::memory::PAGE;
use super::clock::Stamp;

/// The size of a word in bytes.
const WORD: u64 = 4;

/// The accesses of one cell.
pub type Stamps = SmallVec<[Stamp; 5]>;

/// Two stamps, 0 if absent; or, with the highest bit of the first one set, the number of a list.
type Cell = [Stamp; 2];

const IN_LIST: u64 = 1 << 63;

#[derive(Clone, Debug)]
enum Page {
    Words(Box<[Cell]>),
    Bytes(Box<[Cell]>),
}

impl Page {
    /// The number of its cells.
    fn cells(&self) -> usize {
        match self {
            Self::Words(cells) | Self::Bytes(cells) => cells.len(),
        }
    }
}

/// The shadow of one array.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    pages: Vec<Option<Page>>,
    /// The pages that switched from words to bytes.
    changed: Vec<usize>,
    lists: Vec<Stamps>,
    free: Vec<u64>,
}

fn within(number: u64) -> usize {
    usize::try_from(number).expect("arrays are smaller than the address space")
}

fn new_cells(bytes: u64) -> Box<[Cell]> {
    vec![[0; 2]; within(PAGE / bytes)].into_boxed_slice()
}

impl Shadow {
    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        Self::bytes_of_all(&[self])
    }

    /// The total size in bytes, with pages that several shadows have counted once.
    pub fn bytes_of_all(all: &[&Self]) -> u64 {
        let pages = all.iter().map(|shadow| shadow.pages.len()).max().unwrap_or(0);
        let cells = |index: usize| all.iter().filter_map(|shadow| Some(shadow.page(index)?.cells())).max();
        let cells: usize = (0..pages).filter_map(cells).sum();
        let lists: usize = all.iter().map(|shadow| shadow.lists.capacity()).sum();
        u64::try_from(cells * size_of::<Cell>() + lists * size_of::<Stamps>()).expect("memory fits")
    }

    /// Whether all shadows with a common page have always used the same cell size for it.
    pub fn are_alike(all: &[&Self]) -> bool {
        let pages = all.iter().map(|shadow| shadow.pages.len()).max().unwrap_or(0);
        let of_page = |index: usize| all.iter().filter_map(move |shadow| Some(shadow.page(index)?.cells()));
        let changed = || all.iter().flat_map(|shadow| &shadow.changed);
        (0..pages).all(|index| of_page(index).min() == of_page(index).max())
            && changed().all(|&index| of_page(index).count() < 2)
    }

    fn page(&self, index: usize) -> Option<&Page> {
        self.pages.get(index)?.as_ref()
    }

    /// Removes all stamps and keeps the memory for reuse.
    ///
    /// An empty page of words is as good as none.
    pub fn clear(&mut self) {
        for page in &mut self.pages {
            match page {
                Some(Page::Words(cells)) => cells.fill([0; 2]),
                Some(Page::Bytes(_)) => *page = None,
                None => {}
            }
        }
        self.changed.clear();
        self.lists.clear();
        self.free.clear();
    }

    /// Calls a function with the stamps of each cell that these bytes touch, which it may change.
    ///
    /// Its arguments are the first touched byte of the cell, the size of the cell, and the stamps.
    pub fn update(&mut self, offset: u64, bytes: u64, mut with: impl FnMut(u64, u64, &mut Stamps)) {
        let end = offset + bytes;
        let mut at = offset;
        while at < end {
            let page_end = (at / PAGE + 1) * PAGE;
            let until = end.min(page_end);
            let whole_words = at.is_multiple_of(WORD) && until.is_multiple_of(WORD);
            let page = at / PAGE;
            let size = self.make_page(page, whole_words);
            while at < until {
                let cell = within(at % PAGE / size);
                self.update_cell(within(page), cell, |stamps| with(at, size, stamps));
                at += size;
            }
        }
    }

    /// Creates a page if needed; returns the cell size.
    ///
    /// Its cells are single bytes unless whole words are accessed.
    fn make_page(&mut self, page: u64, whole_words: bool) -> u64 {
        let index = within(page);
        if index >= self.pages.len() {
            self.pages.resize_with(index + 1, || None);
        }
        match &self.pages[index] {
            Some(Page::Words(_)) if whole_words => WORD,
            Some(Page::Bytes(_)) => 1,
            Some(Page::Words(_)) => {
                self.split(index);
                1
            }
            None if whole_words => {
                self.pages[index] = Some(Page::Words(new_cells(WORD)));
                WORD
            }
            None => {
                self.pages[index] = Some(Page::Bytes(new_cells(1)));
                1
            }
        }
    }

    /// Splits a page so that each byte has its own cell.
    fn split(&mut self, index: usize) {
        let Some(Page::Words(words)) = self.pages[index].take() else { return };
        self.changed.push(index);
        let mut cells = new_cells(1);
        for (word, bytes) in words.iter().zip(cells.chunks_mut(within(WORD))) {
            bytes.fill(*word);
            if word[0] & IN_LIST != 0 {
                let list = self.lists[within(word[0] & !IN_LIST)].clone();
                for byte in &mut bytes[1..] {
                    *byte = self.in_list(list.clone());
                }
            }
        }
        self.pages[index] = Some(Page::Bytes(cells));
    }

    fn in_list(&mut self, stamps: Stamps) -> Cell {
        if let Some(number) = self.free.pop() {
            self.lists[within(number)] = stamps;
            return [IN_LIST | number, 0];
        }
        self.lists.push(stamps);
        [IN_LIST | u64::try_from(self.lists.len() - 1).expect("counted"), 0]
    }

    fn update_cell(&mut self, page: usize, cell: usize, with: impl FnOnce(&mut Stamps)) {
        let Some(Page::Words(cells) | Page::Bytes(cells)) = &mut self.pages[page] else { return };
        let before = cells[cell];
        let list = (before[0] & IN_LIST != 0).then_some(before[0] & !IN_LIST);
        let mut stamps = match list {
            Some(number) => std::mem::take(&mut self.lists[within(number)]),
            None => before.into_iter().filter(|stamp| *stamp != 0).collect(),
        };
        with(&mut stamps);
        let after = match (stamps[..].len(), list) {
            (..=2, _) => {
                self.free.extend(list);
                [stamps.first().copied().unwrap_or(0), stamps.get(1).copied().unwrap_or(0)]
            }
            (_, Some(number)) => {
                self.lists[within(number)] = stamps;
                before
            }
            (_, None) => self.in_list(stamps),
        };
        if let Some(Page::Words(cells) | Page::Bytes(cells)) = &mut self.pages[page] {
            cells[cell] = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(shadow: &mut Shadow, offset: u64, bytes: u64) -> Vec<(u64, u64, Vec<Stamp>)> {
        let mut seen = Vec::new();
        shadow.update(offset, bytes, |at, size, stamps| seen.push((at, size, stamps.to_vec())));
        seen
    }

    #[test]
    fn words_become_bytes_where_they_are_accessed_apart() {
        let mut shadow = Shadow::default();
        // The access covers two words, the second one with more stamps than a cell holds.
        shadow.update(4, 8, |at, _, stamps| stamps.extend(1..=at));
        assert_eq!(seen(&mut shadow, 0, 8), [(0, 4, vec![]), (4, 4, vec![1, 2, 3, 4])]);
        shadow.update(9, 1, |_, _, stamps| stamps.truncate(1));
        assert_eq!(
            seen(&mut shadow, 7, 4),
            [(7, 1, vec![1, 2, 3, 4]), (8, 1, (1..=8).collect()), (9, 1, vec![1]), (10, 1, (1..=8).collect())]
        );
    }

    #[test]
    fn an_access_may_cross_pages() {
        let mut shadow = Shadow::default();
        shadow.update(PAGE - 2, 4, |at, _, stamps| stamps.push(at));
        assert_eq!(seen(&mut shadow, PAGE - 1, 2), [(PAGE - 1, 1, vec![PAGE - 1]), (PAGE, 1, vec![PAGE])]);
        assert_eq!(seen(&mut shadow, PAGE + 1, 3).len(), 3);
    }

    #[test]
    fn cleared_shadow_is_as_new() {
        let mut shadow = Shadow::default();
        shadow.update(4, 4, |_, _, stamps| stamps.push(1));
        shadow.update(9, 1, |_, _, stamps| stamps.push(2));
        shadow.clear();
        assert_eq!(seen(&mut shadow, 4, 8), [(4, 4, vec![]), (8, 4, vec![])]);
        shadow.clear();
        assert_eq!(seen(&mut shadow, 6, 2), [(6, 1, vec![]), (7, 1, vec![])]);
    }

    #[test]
    fn pages_of_several_are_kept_alike() {
        let accessed = |all: &[(u64, u64)]| {
            let mut shadow = Shadow::default();
            for &(offset, bytes) in all {
                shadow.update(offset, bytes, |_, _, stamps| stamps.push(1));
            }
            shadow
        };
        let are_alike = |a: &[(u64, u64)], b: &[(u64, u64)]| Shadow::are_alike(&[&accessed(a), &accessed(b)]);
        assert!(are_alike(&[(0, 4)], &[(8, 4)]));
        assert!(are_alike(&[(0, 1)], &[(9, 1)]));
        assert!(!are_alike(&[(0, 4)], &[(9, 1)]));
        assert!(!are_alike(&[(0, 4), (0, 1)], &[(9, 1)]), "the first one was kept by words for a while");
        assert!(are_alike(&[(0, 4), (0, 1)], &[(PAGE, 4)]), "not the same page");
        assert_eq!(Shadow::bytes_of_all(&[&accessed(&[(0, 4)]), &accessed(&[(8, 4), (PAGE, 1)])]), 5 * 4 * PAGE);
    }

    #[test]
    fn lists_are_used_again() {
        let mut shadow = Shadow::default();
        for round in 0..3 {
            shadow.update(round * 4, 4, |_, _, stamps| stamps.extend([1, 2, 3]));
            shadow.update(round * 4, 4, |_, _, stamps| stamps.truncate(1));
        }
        assert_eq!(shadow.lists.len(), 1);
    }
}
