//! Natural loops and their nesting.

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

use super::{Dominators, Graph};

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

/// Data about a loop.
///
/// An edge is a **back edge** if its target dominates its source. The loop of a header consists of
/// the header and all nodes from which a back edge to the header can be reached without passing
/// through the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopData<N> {
    /// The node through which the loop is entered.
    pub header: N,
    /// All nodes of the loop, including those of inner loops, in reverse postorder: the header
    /// first.
    pub members: Vec<N>,
    /// The sources of the back edges, in reverse postorder.
    pub latches: Vec<N>,
    /// The edges that leave the loop, by their source in reverse postorder.
    pub exits: Vec<(N, N)>,
    /// The enclosing loop.
    pub parent: Option<Loop>,
    /// The loops directly inside it.
    pub children: Vec<Loop>,
    /// The nesting depth: 1 for an outermost loop.
    pub depth: u32,
}

/// The loops of a graph. Two loops are disjoint or one lies within the other; an outer loop has a
/// smaller number than those inside it.
#[derive(Clone, Debug)]
pub struct Loops<N> {
    loops: PrimaryMap<Loop, LoopData<N>>,
    innermost: Vec<Option<Loop>>,
}

impl<N: EntityRef> Loops<N> {
    /// The loops of a graph.
    pub fn new(graph: &Graph<N>, dominators: &Dominators<N>) -> Self {
        let mut result = Self { loops: PrimaryMap::new(), innermost: vec![None; graph.len()] };
        for &header in graph.reverse_postorder() {
            let latches: Vec<N> = graph
                .predecessors(header)
                .iter()
                .copied()
                .filter(|&predecessor| dominators.dominates(header, predecessor))
                .collect();
            if !latches.is_empty() {
                result.add(graph, header, latches);
            }
        }
        result
    }

    /// Adds a loop. Headers come in reverse postorder, so every outer loop is added before those
    /// inside it.
    fn add(&mut self, graph: &Graph<N>, header: N, latches: Vec<N>) {
        let members = members(graph, header, &latches);
        let parent = self.innermost[header.index()];
        let depth = parent.map_or(1, |parent| self.loops[parent].depth + 1);
        let this = self.loops.next_key();
        for member in &members {
            self.innermost[member.index()] = Some(this);
        }
        let mut exits = Vec::new();
        for &member in &members {
            for &successor in graph.successors(member) {
                if self.innermost[successor.index()] != Some(this) {
                    exits.push((member, successor));
                }
            }
        }
        if let Some(parent) = parent {
            self.loops[parent].children.push(this);
        }
        self.loops.push(LoopData { header, members, latches, exits, parent, children: Vec::new(), depth });
    }

    /// The loops in order: outer before inner.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Loop, &LoopData<N>)> {
        self.loops.iter()
    }

    /// The number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Whether there are no loops.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Data about a loop.
    pub fn get(&self, this: Loop) -> &LoopData<N> {
        &self.loops[this]
    }

    /// The innermost loop a node lies in.
    pub fn innermost(&self, node: N) -> Option<Loop> {
        self.innermost[node.index()]
    }

    /// The loops a node lies in, innermost first.
    pub fn around(&self, node: N) -> impl Iterator<Item = Loop> {
        std::iter::successors(self.innermost(node), |&this| self.loops[this].parent)
    }

    /// The loop with this header.
    pub fn with_header(&self, node: N) -> Option<Loop> {
        self.innermost(node).filter(|&this| self.loops[this].header == node)
    }

    /// The number of loops a node lies in.
    pub fn depth(&self, node: N) -> u32 {
        self.innermost(node).map_or(0, |this| self.loops[this].depth)
    }

    /// Whether a node lies in a loop or in one inside it.
    pub fn contains(&self, this: Loop, node: N) -> bool {
        self.around(node).any(|other| other == this)
    }

    /// Whether an edge between two nodes goes back to the header of a loop.
    pub fn is_back_edge(&self, from: N, to: N) -> bool {
        self.with_header(to).is_some_and(|this| self.loops[this].latches.contains(&from))
    }
}

/// The header, and the nodes that reach a latch without passing through it, in reverse postorder.
fn members<N: EntityRef>(graph: &Graph<N>, header: N, latches: &[N]) -> Vec<N> {
    let mut inside = vec![false; graph.len()];
    inside[header.index()] = true;
    let mut members = vec![header];
    let mut work = latches.to_vec();
    while let Some(node) = work.pop() {
        if !inside[node.index()] {
            inside[node.index()] = true;
            members.push(node);
            work.extend_from_slice(graph.predecessors(node));
        }
    }
    members.sort_by_key(|&node| graph.position(node));
    members
}

/// Whether every cycle goes through a back edge: equivalently, every loop is entered through its
/// header only.
///
/// A reverse postorder is topological for the edges that do not close a cycle of the depth-first
/// walk. A graph is reducible if and only if the edges that close a cycle are the back edges.
pub fn is_reducible<N: EntityRef>(graph: &Graph<N>, dominators: &Dominators<N>) -> bool {
    graph.reverse_postorder().iter().all(|&node| {
        graph
            .successors(node)
            .iter()
            .all(|&next| graph.position(next) > graph.position(node) || dominators.dominates(next, node))
    })
}
