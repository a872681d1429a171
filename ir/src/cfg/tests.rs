use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

use super::*;

fn build(successors: &[Vec<usize>]) -> Graph<Node> {
    let nodes = successors.iter().map(|list| list.iter().map(|&node| Node::new(node)).collect()).collect();
    Graph::new(Node::new(0), nodes)
}

fn numbers(nodes: &[Node]) -> Vec<usize> {
    nodes.iter().map(|node| node.index()).collect()
}

/// Graphs of up to twelve nodes with up to three successors each.
fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1usize..13).prop_flat_map(|count| prop::collection::vec(prop::collection::vec(0..count, 0..4), count))
}

/// Whether `to` can be reached from `from` without entering `avoid`.
fn reaches(successors: &[Vec<usize>], from: usize, to: usize, avoid: Option<usize>) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if Some(node) == avoid || seen[node] {
            continue;
        }
        if node == to {
            return true;
        }
        seen[node] = true;
        work.extend(&successors[node]);
    }
    false
}

/// By definition: the entry does not reach `b` without `a`.
fn dominates(successors: &[Vec<usize>], a: usize, b: usize) -> bool {
    reaches(successors, 0, b, None) && (a == b || !reaches(successors, 0, b, Some(a)))
}

/// By definition: removing the back edges leaves no cycle.
fn reducible(successors: &[Vec<usize>]) -> bool {
    let forward: Vec<Vec<usize>> = successors
        .iter()
        .enumerate()
        .map(|(node, list)| {
            let reachable = reaches(successors, 0, node, None);
            list.iter().copied().filter(|&next| reachable && !dominates(successors, next, node)).collect()
        })
        .collect();
    (0..forward.len()).all(|node| forward[node].iter().all(|&next| !reaches(&forward, next, node, None)))
}

fn forward_edges(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    successors
        .iter()
        .enumerate()
        .map(|(node, list)| list.iter().copied().filter(|&next| !dominates(successors, next, node)).collect())
        .collect()
}

proptest! {
    #[test]
    fn dominators_are_those_of_petgraph(successors in graphs()) {
        let dominators = Dominators::new(&build(&successors));
        let mut other = DiGraph::<(), ()>::new();
        for _ in &successors {
            other.add_node(());
        }
        for (from, list) in successors.iter().enumerate() {
            for &to in list {
                other.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        let expected = simple_fast(&other, NodeIndex::new(0));
        for node in 0..successors.len() {
            let immediate = expected.immediate_dominator(NodeIndex::new(node)).map(NodeIndex::index);
            prop_assert_eq!(dominators.idom(Node::new(node)).map(EntityRef::index), immediate);
            for other in 0..successors.len() {
                let strict = dominates(&successors, other, node);
                prop_assert_eq!(dominators.dominates(Node::new(other), Node::new(node)), strict);
            }
        }
    }

    #[test]
    fn frontiers_keep_their_definition(successors in graphs()) {
        let graph = build(&successors);
        let frontiers = Dominators::new(&graph).frontiers(&graph);
        for (node, frontier) in frontiers.iter().enumerate() {
            for join in 0..successors.len() {
                let expected = !(dominates(&successors, node, join) && node != join)
                    && (0..successors.len())
                        .any(|from| successors[from].contains(&join) && dominates(&successors, node, from));
                prop_assert_eq!(frontier.contains(&Node::new(join)), expected, "{} {}", node, join);
            }
        }
    }

    #[test]
    fn post_dominators_lie_on_every_path_to_the_end(successors in graphs()) {
        let post_dominators = PostDominators::new(&build(&successors));
        let count = successors.len();
        let end = count;
        let mut extended = successors.clone();
        extended.push(Vec::new());
        let finite: Vec<bool> = (0..count)
            .map(|node| (0..count).any(|last| successors[last].is_empty() && reaches(&successors, node, last, None)))
            .collect();
        for node in 0..count {
            if successors[node].is_empty() || !finite[node] {
                extended[node].push(end);
            }
        }
        for a in (0..count).filter(|&node| reaches(&successors, 0, node, None)) {
            for b in (0..count).filter(|&node| reaches(&successors, 0, node, None)) {
                let expected = a == b || !reaches(&extended, b, end, Some(a));
                prop_assert_eq!(post_dominators.post_dominates(Node::new(a), Node::new(b)), expected, "{} {}", a, b);
            }
        }
    }

    #[test]
    fn loops_are_those_of_the_definition(successors in graphs()) {
        let graph = build(&successors);
        let loops = Loops::new(&graph, &Dominators::new(&graph));
        for header in 0..successors.len() {
            let mut latches: Vec<usize> = (0..successors.len())
                .filter(|&node| successors[node].contains(&header) && dominates(&successors, header, node))
                .collect();
            let Some(this) = loops.with_header(Node::new(header)) else {
                prop_assert!(latches.is_empty());
                continue;
            };
            let data = loops.get(this);
            let mut found = numbers(&data.latches);
            found.sort_unstable();
            latches.sort_unstable();
            prop_assert_eq!(&found, &latches);
            prop_assert_eq!(data.members[0].index(), header);
            for node in 0..successors.len() {
                let inside = reaches(&successors, 0, node, None)
                    && (node == header || latches.iter().any(|&latch| reaches(&successors, node, latch, Some(header))));
                prop_assert_eq!(data.members.contains(&Node::new(node)), inside);
                prop_assert_eq!(loops.contains(this, Node::new(node)), inside);
                for next in (0..successors.len()).filter(|next| inside && successors[node].contains(next)) {
                    let leaves = !data.members.contains(&Node::new(next));
                    prop_assert_eq!(data.exits.contains(&(Node::new(node), Node::new(next))), leaves);
                }
            }
            // The parent is the smallest other loop around the header.
            let parent = loops
                .iter()
                .filter(|(other, data)| *other != this && data.members.contains(&Node::new(header)))
                .min_by_key(|(_, data)| data.members.len())
                .map(|(other, _)| other);
            prop_assert_eq!(data.parent, parent);
            prop_assert_eq!(data.depth, parent.map_or(1, |parent| loops.get(parent).depth + 1));
        }
    }

    #[test]
    fn reducibility_is_that_of_the_definition(successors in graphs()) {
        let graph = build(&successors);
        prop_assert_eq!(is_reducible(&graph, &Dominators::new(&graph)), reducible(&successors));
    }

    #[test]
    fn the_order_keeps_both_conditions_of_the_paper(successors in graphs()) {
        let cfg = Cfg::new(build(&successors));
        prop_assert_eq!(cfg.order.is_some(), reducible(&successors));
        let Some(order) = &cfg.order else { return Ok(()) };
        let reachable = (0..successors.len()).filter(|&node| reaches(&successors, 0, node, None)).count();
        prop_assert_eq!(order.len(), reachable);
        let place = |node: usize| order.iter().position(|other| other.index() == node);
        let forward = forward_edges(&successors);
        for a in numbers(order) {
            for b in numbers(order) {
                if reaches(&forward, a, b, None) {
                    prop_assert!(place(a) <= place(b), "{} comes after {}", a, b);
                }
            }
        }
        for (_, data) in cfg.loops.iter() {
            let places: Vec<usize> = data.members.iter().filter_map(|node| place(node.index())).collect();
            let (first, last) = (places.iter().min().unwrap(), places.iter().max().unwrap());
            prop_assert_eq!(last - first + 1, data.members.len());
            prop_assert_eq!(place(data.header.index()), Some(*first));
        }
    }
}

#[test]
fn nested_loops() {
    // 0 → 1 ⇄ (2 ⇄ 3) → 4
    let cfg = Cfg::new(build(&[vec![1], vec![4, 2], vec![3], vec![2, 1], vec![]]));
    let outer = cfg.loops.with_header(Node::new(1)).unwrap();
    let inner = cfg.loops.with_header(Node::new(2)).unwrap();
    assert_eq!(cfg.loops.get(inner).parent, Some(outer));
    assert_eq!(cfg.loops.get(outer).children, [inner]);
    assert_eq!(numbers(&cfg.loops.get(inner).members), [2, 3]);
    assert_eq!(cfg.loops.get(outer).exits, [(Node::new(1), Node::new(4))]);
    assert!(cfg.loops.is_back_edge(Node::new(3), Node::new(1)));
    // The exit is the first successor of the header, yet the loop's body is not torn apart.
    assert_eq!(numbers(cfg.order()), [0, 1, 2, 3, 4]);
}

#[test]
fn an_exit_that_comes_first_in_reverse_postorder_waits_for_its_loop() {
    // The inner loop {2, 3} can be left from 2 and from 3; 4 joins both exits within the outer loop
    // {1, 2, 3, 4}.
    let cfg = Cfg::new(build(&[vec![1], vec![2], vec![4, 3], vec![2, 4], vec![1, 5], vec![]]));
    assert_eq!(numbers(cfg.order()), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn infinite_loops_have_post_dominators() {
    let cfg = Cfg::new(build(&[vec![1, 3], vec![2], vec![1], vec![]]));
    assert_eq!(cfg.post_dominators.idom(Node::new(0)), None);
    assert_eq!(cfg.post_dominators.idom(Node::new(1)), None);
    assert!(cfg.post_dominators.control_dependencies()[1].contains(&Node::new(0)));
    assert!(cfg.post_dominators.control_dependencies()[3].contains(&Node::new(0)));
}

#[test]
fn two_entries_into_a_cycle_are_irreducible() {
    let cfg = Cfg::new(build(&[vec![1, 2], vec![2], vec![1]]));
    assert!(cfg.order.is_none());
    assert!(cfg.loops.is_empty());
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let count = 100_000;
    let successors: Vec<Vec<usize>> =
        (0..count).map(|node| if node + 1 < count { vec![node + 1] } else { vec![] }).collect();
    assert_eq!(Cfg::new(build(&successors)).order().len(), count);
}
