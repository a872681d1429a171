//! The red-black trees behind `std::map` and `std::set`, in the layout of libstdc++.
//!
//! A node begins with its colour, its parent, and its left and its right child. The header of a
//! tree is such a node, too: its parent is the root, and its children are the first and the last
//! node. The functions follow `tree.cc` of libstdc++.

use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::memory::Memory;

/// The offsets of a node's parts.
const COLOUR: u64 = 0;
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;

const RED: u64 = 0;
const BLACK: u64 = 1;

/// The most accesses of a function. Trees of all sizes need fewer, if they are trees.
const MOST_ACCESSES: u32 = 100_000;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base" | "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base" => {
            |host, arguments| Ok(Tree::new(host, 0).increment(arguments.word(0))?)
        }
        "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base" | "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base" => {
            |host, arguments| Ok(Tree::new(host, 0).decrement(arguments.word(0))?)
        }
        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_" => insert,
        "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_" => {
            |host, arguments| Ok(Tree::new(host, arguments.word(1)).erase(arguments.word(0))?)
        }
        _ => return None,
    }))
}

fn insert(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [side, node, parent, header] = [0, 1, 2, 3].map(|argument| arguments.word(argument));
    Tree::new(host, header).insert(side & 1 == 1, node, parent)?;
    Ok(0)
}

/// A tree by its header.
struct Tree<'m> {
    memory: &'m mut Memory,
    header: u64,
    accesses: u32,
}

type Done = Result<(), Stopped>;

/// The other child.
fn other(side: u64) -> u64 {
    LEFT + RIGHT - side
}

impl<'m> Tree<'m> {
    fn new<'h>(host: &'m mut Host<'h>, header: u64) -> Self {
        Self { memory: &mut host.memory, header, accesses: 0 }
    }

    fn count(&mut self) -> Done {
        self.accesses += 1;
        if self.accesses > MOST_ACCESSES {
            return Err(Stopped::fault("the program has a tree whose nodes form a cycle"));
        }
        Ok(())
    }

    fn get(&mut self, node: u64, part: u64) -> Result<u64, Stopped> {
        self.count()?;
        self.memory.read_number(node.wrapping_add(part), if part == COLOUR { 4 } else { 8 })
    }

    fn set(&mut self, node: u64, part: u64, value: u64) -> Done {
        self.count()?;
        self.memory.write_number(node.wrapping_add(part), value, if part == COLOUR { 4 } else { 8 })
    }

    fn root(&mut self) -> Result<u64, Stopped> {
        self.get(self.header, PARENT)
    }

    /// Whether there is a node, and it is red.
    fn is_red(&mut self, node: u64) -> Result<bool, Stopped> {
        Ok(node != 0 && self.get(node, COLOUR)? == RED)
    }

    /// The last node on the way along one side.
    fn outermost(&mut self, mut node: u64, side: u64) -> Result<u64, Stopped> {
        loop {
            match self.get(node, side)? {
                0 => return Ok(node),
                child => node = child,
            }
        }
    }

    fn increment(&mut self, node: u64) -> Result<u64, Stopped> {
        let right = self.get(node, RIGHT)?;
        if right != 0 {
            return self.outermost(right, LEFT);
        }
        let (node, parent) = self.climb(node, RIGHT)?;
        // The last node of a tree with one node: its parent is the header.
        Ok(if self.get(node, RIGHT)? == parent { node } else { parent })
    }

    fn decrement(&mut self, node: u64) -> Result<u64, Stopped> {
        let parent = self.get(node, PARENT)?;
        if self.is_red(node)? && self.get(parent, PARENT)? == node {
            return self.get(node, RIGHT);
        }
        let left = self.get(node, LEFT)?;
        if left != 0 {
            return self.outermost(left, RIGHT);
        }
        Ok(self.climb(node, LEFT)?.1)
    }

    /// The first node on the way up that is not a child on this side, and its parent.
    fn climb(&mut self, mut node: u64, side: u64) -> Result<(u64, u64), Stopped> {
        loop {
            let parent = self.get(node, PARENT)?;
            if self.get(parent, side)? != node {
                return Ok((node, parent));
            }
            node = parent;
        }
    }

    /// Puts one node in the place of another one below its parent.
    fn replace_below_parent(&mut self, node: u64, new: u64) -> Done {
        let parent = self.get(node, PARENT)?;
        if self.root()? == node {
            self.set(self.header, PARENT, new)
        } else if self.get(parent, LEFT)? == node {
            self.set(parent, LEFT, new)
        } else {
            self.set(parent, RIGHT, new)
        }
    }

    /// Moves a node down to one side, and its child on the other side up.
    fn rotate(&mut self, node: u64, side: u64) -> Done {
        let child = self.get(node, other(side))?;
        let moved = self.get(child, side)?;
        self.set(node, other(side), moved)?;
        if moved != 0 {
            self.set(moved, PARENT, node)?;
        }
        let parent = self.get(node, PARENT)?;
        self.set(child, PARENT, parent)?;
        self.replace_below_parent(node, child)?;
        self.set(child, side, node)?;
        self.set(node, PARENT, child)
    }

    fn insert(&mut self, is_left: bool, node: u64, parent: u64) -> Done {
        self.set(node, PARENT, parent)?;
        self.set(node, LEFT, 0)?;
        self.set(node, RIGHT, 0)?;
        self.set(node, COLOUR, RED)?;
        let side = if is_left { LEFT } else { RIGHT };
        let is_outermost = self.get(self.header, side)? == parent;
        self.set(parent, side, node)?;
        if is_left && parent == self.header {
            self.set(parent, PARENT, node)?;
            self.set(parent, RIGHT, node)?;
        } else if is_outermost {
            self.set(self.header, side, node)?;
        }
        self.rebalance_inserted(node)
    }

    fn rebalance_inserted(&mut self, mut node: u64) -> Done {
        loop {
            let parent = self.get(node, PARENT)?;
            if node == self.root()? || !self.is_red(parent)? {
                break;
            }
            let above = self.get(parent, PARENT)?;
            let side = if parent == self.get(above, LEFT)? { LEFT } else { RIGHT };
            let uncle = self.get(above, other(side))?;
            if self.is_red(uncle)? {
                self.set(parent, COLOUR, BLACK)?;
                self.set(uncle, COLOUR, BLACK)?;
                self.set(above, COLOUR, RED)?;
                node = above;
                continue;
            }
            if node == self.get(parent, other(side))? {
                node = parent;
                self.rotate(node, side)?;
            }
            let parent = self.get(node, PARENT)?;
            self.set(parent, COLOUR, BLACK)?;
            self.set(above, COLOUR, RED)?;
            self.rotate(above, other(side))?;
        }
        let root = self.root()?;
        self.set(root, COLOUR, BLACK)
    }

    /// Takes a node out of the tree, and returns it.
    fn erase(&mut self, node: u64) -> Result<u64, Stopped> {
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        let (child, parent, colour);
        if left != 0 && right != 0 {
            let successor = self.outermost(right, LEFT)?;
            child = self.get(successor, RIGHT)?;
            parent = self.move_up(node, successor, child)?;
            colour = self.get(successor, COLOUR)?;
            let kept = self.get(node, COLOUR)?;
            self.set(successor, COLOUR, kept)?;
            self.set(node, COLOUR, colour)?;
        } else {
            child = left | right;
            parent = self.get(node, PARENT)?;
            colour = self.get(node, COLOUR)?;
            self.take_out(node, child, parent)?;
        }
        if colour != RED {
            self.rebalance_erased(child, parent)?;
        }
        Ok(node)
    }

    /// Puts the successor of a node in its place, and gives the parent of the successor's child.
    fn move_up(&mut self, node: u64, successor: u64, child: u64) -> Result<u64, Stopped> {
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        self.set(left, PARENT, successor)?;
        self.set(successor, LEFT, left)?;
        let mut parent = successor;
        if successor != right {
            parent = self.get(successor, PARENT)?;
            if child != 0 {
                self.set(child, PARENT, parent)?;
            }
            self.set(parent, LEFT, child)?;
            self.set(successor, RIGHT, right)?;
            self.set(right, PARENT, successor)?;
        }
        self.replace_below_parent(node, successor)?;
        let above = self.get(node, PARENT)?;
        self.set(successor, PARENT, above)?;
        Ok(parent)
    }

    /// Takes out a node with one child at most.
    fn take_out(&mut self, node: u64, child: u64, parent: u64) -> Done {
        if child != 0 {
            self.set(child, PARENT, parent)?;
        }
        self.replace_below_parent(node, child)?;
        for side in [LEFT, RIGHT] {
            if self.get(self.header, side)? == node {
                let is_bare = self.get(node, other(side))? == 0;
                let outermost = if is_bare { parent } else { self.outermost(child, side)? };
                self.set(self.header, side, outermost)?;
            }
        }
        Ok(())
    }

    /// Makes up for a black node that is missing above a node, or above where there is none.
    fn rebalance_erased(&mut self, mut node: u64, mut parent: u64) -> Done {
        while node != self.root()? && !self.is_red(node)? {
            let side = if node == self.get(parent, LEFT)? { LEFT } else { RIGHT };
            let mut sibling = self.get(parent, other(side))?;
            if self.is_red(sibling)? {
                self.set(sibling, COLOUR, BLACK)?;
                self.set(parent, COLOUR, RED)?;
                self.rotate(parent, side)?;
                sibling = self.get(parent, other(side))?;
            }
            let (near, far) = (self.get(sibling, side)?, self.get(sibling, other(side))?);
            if !self.is_red(near)? && !self.is_red(far)? {
                self.set(sibling, COLOUR, RED)?;
                node = parent;
                parent = self.get(parent, PARENT)?;
                continue;
            }
            if !self.is_red(far)? {
                self.set(near, COLOUR, BLACK)?;
                self.set(sibling, COLOUR, RED)?;
                self.rotate(sibling, other(side))?;
                sibling = self.get(parent, other(side))?;
            }
            let colour = self.get(parent, COLOUR)?;
            self.set(sibling, COLOUR, colour)?;
            self.set(parent, COLOUR, BLACK)?;
            let far = self.get(sibling, other(side))?;
            if far != 0 {
                self.set(far, COLOUR, BLACK)?;
            }
            self.rotate(parent, side)?;
            break;
        }
        if node != 0 {
            self.set(node, COLOUR, BLACK)?;
        }
        Ok(())
    }
}
