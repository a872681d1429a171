//! Relations between at most 64 events.

/// A relation: the successors of each event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Relation(Vec<u64>);

impl Relation {
    /// The empty relation of so many events.
    pub fn empty(events: usize) -> Self {
        assert!(events <= 64, "too many events");
        Self(vec![0; events])
    }

    /// All pairs of which this is true.
    pub fn of(events: usize, is: impl Fn(usize, usize) -> bool) -> Self {
        let mut relation = Self::empty(events);
        for a in 0..events {
            for b in 0..events {
                if is(a, b) {
                    relation.add(a, b);
                }
            }
        }
        relation
    }

    pub fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = 0..self.0.len();
        all.clone().flat_map(move |a| all.clone().map(move |b| (a, b))).filter(|&(a, b)| self.has(a, b))
    }

    pub fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The pairs that a step of this and one of the other one lead to.
    pub fn then(&self, other: &Self) -> Self {
        let row = |row: &u64| {
            (0..other.0.len()).filter(|&b| row >> b & 1 == 1).fold(0, |all, between| all | other.0[between])
        };
        Self(self.0.iter().map(row).collect())
    }

    pub fn reversed(&self) -> Self {
        Self::of(self.0.len(), |a, b| self.has(b, a))
    }

    /// The least transitive relation that contains this one (Warshall).
    pub fn closed(mut self) -> Self {
        for between in 0..self.0.len() {
            let reached = self.0[between];
            for row in &mut self.0 {
                if *row >> between & 1 == 1 {
                    *row |= reached;
                }
            }
        }
        self
    }

    /// Whether no event is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        (0..self.0.len()).all(|event| !self.has(event, event))
    }

    /// Whether it has no circle.
    pub fn is_acyclic(&self) -> bool {
        self.clone().closed().is_irreflexive()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }
}
