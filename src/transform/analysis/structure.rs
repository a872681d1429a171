//! The shape of a kernel's control flow, as the lock-step transformation needs it.

use cranelift_entity::SecondaryMap;
use lockstep_ir::cfg::{self, Graph, PostDominators};
use lockstep_ir::kernel::transform;
use lockstep_ir::kernel::{AssertKind, Block, Kernel, Operation, Unsupported, Value};

use super::placement::is_invariant;

/// A loop of a kernel, by its index in [`Structure::loops`].
pub type LoopIndex = usize;

/// A loop of a kernel.
#[derive(Clone, Debug)]
pub struct LoopShape {
    /// The block through which the loop is entered.
    pub header: Block,
    /// The loop around it.
    pub parent: Option<LoopIndex>,
}

/// The shape of a kernel: reducible, all blocks reachable, loops closed with dedicated exits.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The blocks in the order of the lock-step paper (003, section 4): topological but for back
    /// edges, loops contiguous, headers first.
    pub order: Vec<Block>,
    /// The loops, an outer one before those inside it.
    pub loops: Vec<LoopShape>,
    /// The innermost loop of each block.
    pub loop_of: SecondaryMap<Block, Option<LoopIndex>>,
    /// The blocks with an edge to each block, without repetitions, in order.
    pub predecessors: SecondaryMap<Block, Vec<Block>>,
    /// For a block that is no loop header: the nearest dominator in the same innermost loop, if the
    /// block post-dominates it within an iteration of that loop. Every thread that is active in the
    /// dominator comes here in the same iteration (or it never terminates), so both blocks have the
    /// same predicate.
    pub shortcut: SecondaryMap<Block, Option<Block>>,
}

impl Structure {
    /// The possible values of a block's parameter: the arguments of the jumps to the block.
    pub fn arguments<'a>(&'a self, kernel: &'a Kernel, block: Block, index: u32) -> impl Iterator<Item = Value> + 'a {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let targets = self.predecessors[block].iter().flat_map(|&from| kernel.blocks[from].terminator.targets());
        targets.filter(move |target| target.block == block).map(move |target| target.arguments[index])
    }

    /// Whether a loop is `outer` or lies in it.
    pub fn contains(&self, outer: LoopIndex, inner: Option<LoopIndex>) -> bool {
        let mut at = inner;
        while let Some(index) = at {
            if index == outer {
                return true;
            }
            at = self.loops[index].parent;
        }
        false
    }

    /// Whether an edge goes back to the header of a loop that contains its start.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.loop_of[to].is_some_and(|index| self.loops[index].header == to && self.contains(index, self.loop_of[from]))
    }

    /// The loops that edges into a block leave, innermost first.
    pub fn left_by_entering(&self, block: Block) -> Vec<LoopIndex> {
        let mut left = Vec::new();
        for &from in &self.predecessors[block] {
            let mut at = self.loop_of[from];
            while let Some(index) = at.filter(|&index| !self.contains(index, self.loop_of[block])) {
                left.push(index);
                at = self.loops[index].parent;
            }
        }
        left
    }

    /// The loops around a block, outermost first.
    pub fn loops_around(&self, block: Block) -> Vec<LoopIndex> {
        let mut loops = Vec::new();
        let mut at = self.loop_of[block];
        while let Some(index) = at {
            loops.push(index);
            at = self.loops[index].parent;
        }
        loops.reverse();
        loops
    }
}

/// Whether the source has statements that are checked where no thread comes: about a loop, or about
/// threads that need not be active.
fn speaks_of_more_than_is_executed(kernel: &Kernel) -> bool {
    let mut operations = kernel.instructions.values().map(|data| &data.operation);
    operations.any(|operation| match operation {
        Operation::Annotation { name, .. } => is_invariant(name),
        Operation::Assert(_, kind) => *kind == AssertKind::Global,
        _ => false,
    })
}

impl Structure {
    /// Brings a kernel into the form that the lock-step transformation needs, and computes its
    /// shape.
    pub fn of(kernel: &Kernel) -> Result<(Kernel, Self), Unsupported> {
        // A loop whose condition never holds is kept for the statements at its head.
        let decided =
            if speaks_of_more_than_is_executed(kernel) { kernel.clone() } else { transform::decide(kernel.clone()) };
        let kernel = transform::prune(decided);
        let kernel = transform::make_reducible(kernel)
            .map_err(|error| Unsupported { construct: error.to_string(), location: None })?;
        let kernel = transform::close_loops(kernel);
        let shape = Self::analyse(&kernel);
        Ok((kernel, shape))
    }

    fn analyse(kernel: &Kernel) -> Self {
        let cfg = cfg::analyse(kernel);
        let mut indices = Vec::new();
        let mut loops: Vec<LoopShape> = Vec::new();
        // In the block order a loop's header comes before the headers inside it.
        for &block in cfg.order() {
            if let Some(this) = cfg.loops.with_header(block) {
                let parent = cfg.loops.get(this).parent;
                let parent = parent.and_then(|parent| indices.iter().position(|&known| known == parent));
                indices.push(this);
                loops.push(LoopShape { header: block, parent });
            }
        }
        let mut shape = Self {
            order: cfg.order().to_vec(),
            loops,
            loop_of: SecondaryMap::new(),
            predecessors: SecondaryMap::new(),
            shortcut: SecondaryMap::new(),
        };
        for &block in cfg.order() {
            let innermost = cfg.loops.innermost(block);
            shape.loop_of[block] = innermost.and_then(|this| indices.iter().position(|&known| known == this));
            shape.predecessors[block] = cfg.graph.predecessors(block).to_vec();
        }
        shape.find_shortcuts(&cfg);
        shape
    }

    fn find_shortcuts(&mut self, cfg: &cfg::Cfg<Block>) {
        let loops = std::iter::once(None).chain((0..self.loops.len()).map(Some));
        for this in loops {
            let iteration = PostDominators::new(&self.one_iteration(cfg, this));
            for &block in cfg.order().iter().filter(|&&block| self.loop_of[block] == this) {
                self.shortcut[block] = self.find_shortcut(cfg, &iteration, block);
            }
        }
    }

    /// The graph of one iteration of a loop, or of the whole kernel: it ends where control starts
    /// another iteration or leaves the loop. Otherwise a block through which control must pass to
    /// leave the loop would post-dominate the whole body, although an iteration may bypass it.
    fn one_iteration(&self, cfg: &cfg::Cfg<Block>, this: Option<LoopIndex>) -> Graph<Block> {
        let end = Block::from_u32(u32::try_from(cfg.graph.len()).expect("entities are numbered with 32 bits"));
        let Some(index) = this else { return cfg.graph.clone() };
        let header = self.loops[index].header;
        let stays = |to: Block| to != header && self.contains(index, self.loop_of[to]);
        let mut successors = vec![Vec::new(); cfg.graph.len() + 1];
        for &block in cfg.order() {
            let within = |&to: &Block| if stays(to) { to } else { end };
            successors[block.as_u32() as usize] = cfg.graph.successors(block).iter().map(within).collect();
        }
        Graph::new(header, successors)
    }

    fn find_shortcut(&self, cfg: &cfg::Cfg<Block>, iteration: &PostDominators<Block>, block: Block) -> Option<Block> {
        let this = self.loop_of[block];
        if this.is_some_and(|index| self.loops[index].header == block) {
            return None;
        }
        let mut dominator = cfg.dominators.idom(block)?;
        while self.loop_of[dominator] != this {
            dominator = cfg.dominators.idom(dominator)?;
        }
        iteration.post_dominates(block, dominator).then_some(dominator)
    }
}
