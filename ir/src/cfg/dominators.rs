//! Dominator and post-dominator trees, by the algorithm of Cooper, Harvey and Kennedy.

use cranelift_entity::EntityRef;

use super::{Graph, Node};

/// A dominator tree: `a` dominates `b` if every path from the entry to `b` passes through `a`.
#[derive(Clone, Debug)]
pub struct Dominators<N> {
    immediate: Vec<Option<N>>,
    /// The times at which a walk over the tree enters and leaves each node; `None` for unreachable
    /// nodes.
    interval: Vec<Option<(usize, usize)>>,
}

impl<N: EntityRef> Dominators<N> {
    /// The dominator tree of a graph.
    pub fn new(graph: &Graph<N>) -> Self {
        let immediate = immediate_dominators(graph);
        let interval = intervals(graph, &immediate);
        Self { immediate, interval }
    }

    /// The closest other dominator; `None` for the entry and for unreachable nodes.
    pub fn idom(&self, node: N) -> Option<N> {
        self.immediate[node.index()]
    }

    /// Whether `a` dominates `b`; every reachable node dominates itself. Unreachable nodes neither
    /// dominate nor are dominated.
    pub fn dominates(&self, a: N, b: N) -> bool {
        match (self.interval[a.index()], self.interval[b.index()]) {
            (Some((enter, leave)), Some((start, end))) => enter <= start && end <= leave,
            _ => false,
        }
    }

    /// The dominance frontier of each node, by index: the nodes it does not strictly dominate but
    /// that have a predecessor it dominates.
    pub fn frontiers(&self, graph: &Graph<N>) -> Vec<Vec<N>> {
        let mut frontiers: Vec<Vec<N>> = vec![Vec::new(); graph.len()];
        for &node in graph.reverse_postorder() {
            for &predecessor in graph.predecessors(node) {
                let mut runner = Some(predecessor);
                while let Some(current) = runner {
                    if self.idom(node) == Some(current) {
                        break;
                    }
                    let frontier = &mut frontiers[current.index()];
                    if frontier.last() != Some(&node) {
                        frontier.push(node);
                    }
                    runner = self.idom(current);
                }
            }
        }
        frontiers
    }
}

fn immediate_dominators<N: EntityRef>(graph: &Graph<N>) -> Vec<Option<N>> {
    const NONE: usize = usize::MAX;
    // Nodes are their positions in reverse postorder here, so that a dominator is a smaller number.
    let order = graph.reverse_postorder();
    let place = |node: N| graph.position(node).expect("predecessors are reachable");
    let mut immediate = vec![NONE; order.len()];
    immediate[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (index, &node) in order.iter().enumerate().skip(1) {
            let mut common = NONE;
            for predecessor in graph.predecessors(node).iter().map(|&node| place(node)) {
                if immediate[predecessor] == NONE {
                    continue;
                }
                common = if common == NONE { predecessor } else { intersect(&immediate, predecessor, common) };
            }
            if immediate[index] != common {
                immediate[index] = common;
                changed = true;
            }
        }
    }
    let mut result = vec![None; graph.len()];
    for (index, &node) in order.iter().enumerate().skip(1) {
        result[node.index()] = Some(order[immediate[index]]);
    }
    result
}

fn intersect(immediate: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = immediate[a];
        } else {
            b = immediate[b];
        }
    }
    a
}

/// The moments at which a depth-first walk over the tree enters and leaves each node.
fn intervals<N: EntityRef>(graph: &Graph<N>, immediate: &[Option<N>]) -> Vec<Option<(usize, usize)>> {
    let mut children: Vec<Vec<N>> = vec![Vec::new(); graph.len()];
    for &node in graph.reverse_postorder() {
        if let Some(parent) = immediate[node.index()] {
            children[parent.index()].push(node);
        }
    }
    let mut interval = vec![None; graph.len()];
    let mut clock = 0;
    let mut stack = vec![(graph.entry(), 0, clock)];
    while let Some((node, next, entered)) = stack.last_mut() {
        clock += 1;
        if let Some(&child) = children[node.index()].get(*next) {
            *next += 1;
            stack.push((child, 0, clock));
        } else {
            interval[node.index()] = Some((*entered, clock));
            stack.pop();
        }
    }
    interval
}

/// A post-dominator tree: `a` post-dominates `b` if every path from `b` to the end passes through
/// `a`.
///
/// The end is a virtual node after all nodes without successors. A node from which none of them can
/// be reached lies in an infinite loop, or leads only into one. It gets its own edge to the virtual
/// end: execution may stay at such a node for ever, so no such node need come after another. This
/// over-approximates control dependence.
#[derive(Clone, Debug)]
pub struct PostDominators<N> {
    tree: Dominators<Node>,
    /// The reversed graph; its entry is the virtual end.
    reversed: Graph<Node>,
    nodes: Vec<N>,
}

impl<N: EntityRef> PostDominators<N> {
    /// The post-dominator tree of a graph.
    pub fn new(graph: &Graph<N>) -> Self {
        let end = Node::new(graph.len());
        let mut reversed: Vec<Vec<Node>> = vec![Vec::new(); graph.len() + 1];
        for &node in graph.reverse_postorder() {
            reversed[node.index()] = graph.predecessors(node).iter().map(|node| Node::new(node.index())).collect();
        }
        let ends = |node: &N| graph.successors(*node).is_empty();
        reversed[end.index()] =
            graph.reverse_postorder().iter().filter(|&node| ends(node)).map(|node| Node::new(node.index())).collect();
        let finite = Graph::new(end, reversed.clone());
        for node in graph.reverse_postorder().iter().map(|node| Node::new(node.index())) {
            if !finite.is_reachable(node) {
                reversed[end.index()].push(node);
            }
        }
        let reversed = Graph::new(end, reversed);
        Self { tree: Dominators::new(&reversed), reversed, nodes: (0..graph.len()).map(N::new).collect() }
    }

    /// The closest other post-dominator; `None` where that is the virtual end, and for unreachable
    /// nodes.
    pub fn idom(&self, node: N) -> Option<N> {
        let immediate = self.tree.idom(Node::new(node.index()))?;
        self.nodes.get(immediate.index()).copied()
    }

    /// Whether `a` post-dominates `b`; every reachable node post-dominates itself.
    pub fn post_dominates(&self, a: N, b: N) -> bool {
        self.tree.dominates(Node::new(a.index()), Node::new(b.index()))
    }

    /// The branches that each node, by index, is control-dependent on. At such a branch one
    /// successor leads to the node for certain and another may not. Not transitive.
    pub fn control_dependencies(&self) -> Vec<Vec<N>> {
        let mut frontiers = self.tree.frontiers(&self.reversed);
        frontiers.truncate(self.nodes.len());
        frontiers
            .into_iter()
            .map(|frontier| frontier.into_iter().filter_map(|node| self.nodes.get(node.index()).copied()).collect())
            .collect()
    }
}
