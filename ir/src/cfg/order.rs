//! The order in which lock-step execution visits the blocks (paper 003, section 4).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::EntityRef;

use super::{Dominators, Graph, Loop, Loops, is_reducible};

/// A total order of the reachable nodes such that
///
/// 1. if a path without back edges leads from `a` to `b`, then `a` comes before `b`;
/// 2. the nodes of each loop are contiguous, so that a loop, once begun, is finished before
///    anything outside it is executed. By rule 1 its header comes first.
///
/// Ties are broken by reverse postorder. `None` if the graph is irreducible: then no such order
/// exists.
pub fn block_order<N: EntityRef>(graph: &Graph<N>, dominators: &Dominators<N>, loops: &Loops<N>) -> Option<Vec<N>> {
    if !is_reducible(graph, dominators) {
        return None;
    }
    let mut bodies: Vec<Vec<N>> = Vec::new();
    // Inner loops have larger numbers: each body is sorted after those inside it.
    bodies.resize_with(loops.len(), Vec::new);
    for (this, data) in loops.iter().rev() {
        bodies[this.index()] = sort_region(graph, loops, Some(this), &data.members, &bodies);
    }
    Some(sort_region(graph, loops, None, graph.reverse_postorder(), &bodies))
}

/// Sorts a loop's body, or the whole graph. Each loop inside it is one abstract node in the place
/// of its header.
fn sort_region<N: EntityRef>(
    graph: &Graph<N>,
    loops: &Loops<N>,
    region: Option<Loop>,
    members: &[N],
    bodies: &[Vec<N>],
) -> Vec<N> {
    let region_header = region.map(|region| loops.get(region).header);
    // The node that stands for `node` in this region: itself, or the header of the child loop of
    // the region that contains it; `None` outside the region.
    let representative = |node: N| {
        let mut inner = None;
        for around in loops.around(node).map(Some).chain([None]) {
            if around == region {
                return Some(inner.map_or(node, |inner: Loop| loops.get(inner).header));
            }
            inner = around;
        }
        None
    };
    let edges = || {
        members.iter().flat_map(|&node| {
            let from = representative(node).expect("a member of the region");
            graph.successors(node).iter().filter_map(move |&next| {
                let to = representative(next)?;
                (to != from && Some(to) != region_header).then_some((from, to))
            })
        })
    };
    let mut waiting_for = vec![0usize; graph.len()];
    let mut successors: Vec<Vec<N>> = vec![Vec::new(); graph.len()];
    for (from, to) in edges() {
        waiting_for[to.index()] += 1;
        successors[from.index()].push(to);
    }
    let place = |node: N| graph.position(node).expect("members are reachable");
    let mut ready = BinaryHeap::new();
    for &node in members {
        if representative(node) == Some(node) && waiting_for[node.index()] == 0 {
            ready.push(Reverse(place(node)));
        }
    }
    let mut sorted = Vec::with_capacity(members.len());
    while let Some(Reverse(index)) = ready.pop() {
        let node = graph.reverse_postorder()[index];
        match loops.with_header(node).filter(|&inner| Some(inner) != region) {
            Some(inner) => sorted.extend_from_slice(&bodies[inner.index()]),
            None => sorted.push(node),
        }
        for &next in &successors[node.index()] {
            waiting_for[next.index()] -= 1;
            if waiting_for[next.index()] == 0 {
                ready.push(Reverse(place(next)));
            }
        }
    }
    sorted
}
