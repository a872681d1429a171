//! Graph analyses, over any graph of entities: dominators, loops, reducibility, the lock-step block
//! order.
//!
//! Nodes that cannot be reached from the entry are ignored: they have no dominators, lie in no
//! loop, are not predecessors and are missing from the orders.

mod dominators;
mod loops;
mod order;

use cranelift_entity::{EntityRef, entity_impl};

pub use dominators::{Dominators, PostDominators};
pub use loops::{Loop, LoopData, Loops, is_reducible};
pub use order::block_order;

use crate::kernel::{Block, Kernel};

/// A node of a graph without a node type of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);
entity_impl!(Node, "node");

/// A graph with an entry. Several edges between the same two nodes count as one.
#[derive(Clone, Debug)]
pub struct Graph<N> {
    entry: N,
    successors: Vec<Vec<N>>,
    predecessors: Vec<Vec<N>>,
    reverse_postorder: Vec<N>,
    position: Vec<Option<usize>>,
}

impl<N: EntityRef> Graph<N> {
    /// The graph with `successors[n.index()]` as the successors of `n`.
    pub fn new(entry: N, mut successors: Vec<Vec<N>>) -> Self {
        for list in &mut successors {
            let mut seen = Vec::new();
            list.retain(|node| {
                let new = !seen.contains(node);
                seen.push(*node);
                new
            });
        }
        let reverse_postorder = reverse_postorder(entry, &successors);
        let mut position = vec![None; successors.len()];
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (index, &node) in reverse_postorder.iter().enumerate() {
            position[node.index()] = Some(index);
            for successor in &successors[node.index()] {
                predecessors[successor.index()].push(node);
            }
        }
        Self { entry, successors, predecessors, reverse_postorder, position }
    }

    /// The node where every path starts.
    pub fn entry(&self) -> N {
        self.entry
    }

    /// The number of nodes, unreachable ones included.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no nodes; always false, since there is an entry.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// The distinct successors of a node.
    pub fn successors(&self, node: N) -> &[N] {
        &self.successors[node.index()]
    }

    /// The distinct reachable predecessors of a node, in reverse postorder.
    pub fn predecessors(&self, node: N) -> &[N] {
        &self.predecessors[node.index()]
    }

    /// The reachable nodes in reverse postorder: ignoring back edges of the walk, each node comes
    /// before its successors.
    pub fn reverse_postorder(&self) -> &[N] {
        &self.reverse_postorder
    }

    /// The place of a node in [`Self::reverse_postorder`]; `None` if it cannot be reached.
    pub fn position(&self, node: N) -> Option<usize> {
        self.position[node.index()]
    }

    /// Whether a path leads from the entry to the node.
    pub fn is_reachable(&self, node: N) -> bool {
        self.position(node).is_some()
    }
}

/// Depth-first search without recursion: kernels with very long chains of blocks are common after
/// inlining. The successors are visited last to first, so that the first comes first in the result.
fn reverse_postorder<N: EntityRef>(entry: N, successors: &[Vec<N>]) -> Vec<N> {
    let mut visited = vec![false; successors.len()];
    let mut postorder = Vec::new();
    let mut stack = vec![(entry, successors[entry.index()].len())];
    visited[entry.index()] = true;
    while let Some((node, remaining)) = stack.last_mut() {
        if *remaining == 0 {
            postorder.push(*node);
            stack.pop();
            continue;
        }
        *remaining -= 1;
        let next = successors[node.index()][*remaining];
        if !visited[next.index()] {
            visited[next.index()] = true;
            stack.push((next, successors[next.index()].len()));
        }
    }
    postorder.reverse();
    postorder
}

/// All analyses of one graph.
#[derive(Clone, Debug)]
pub struct Cfg<N> {
    /// The graph.
    pub graph: Graph<N>,
    /// Its dominator tree.
    pub dominators: Dominators<N>,
    /// Its post-dominator tree.
    pub post_dominators: PostDominators<N>,
    /// Its natural loops.
    pub loops: Loops<N>,
    /// The lock-step block order; `None` if the graph is irreducible.
    pub order: Option<Vec<N>>,
}

impl<N: EntityRef> Cfg<N> {
    /// Analyses a graph.
    pub fn new(graph: Graph<N>) -> Self {
        let dominators = Dominators::new(&graph);
        let post_dominators = PostDominators::new(&graph);
        let loops = Loops::new(&graph, &dominators);
        let order = block_order(&graph, &dominators, &loops);
        Self { graph, dominators, post_dominators, loops, order }
    }

    /// The lock-step block order of a graph that has been made reducible.
    pub fn order(&self) -> &[N] {
        self.order.as_deref().expect("the graph has been made reducible")
    }
}

/// The graph of a kernel's blocks.
pub fn graph(kernel: &Kernel) -> Graph<Block> {
    let successors =
        kernel.blocks.values().map(|data| data.terminator.targets().map(|target| target.block).collect()).collect();
    Graph::new(kernel.entry, successors)
}

/// Analyses a kernel.
pub fn analyse(kernel: &Kernel) -> Cfg<Block> {
    Cfg::new(graph(kernel))
}

#[cfg(test)]
mod tests;
