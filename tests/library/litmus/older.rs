//! Ends of runs in which reads see older values, compared with the model.

use std::collections::BTreeSet;

use lockstep::deadline::Deadline;
use lockstep::frontend::{self, FrontendOptions};
use lockstep::interpreter::memory::{Fill, Region};
use lockstep::interpreter::{self, Grid, How, Input, Races, Schedule, Workers};

use super::kernel;
use super::program::{End, Litmus};

/// The most steps of a run. A thread may wait for one that never comes.
const MOST_STEPS: u64 = 20_000;

/// The bytes of each array.
const BYTES: u64 = 256;

/// The ends of a program's runs in these orders, as far as they end.
pub fn ends(litmus: &Litmus, schedules: impl Iterator<Item = Schedule>) -> BTreeSet<End> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("litmus.ptx");
    std::fs::write(&path, kernel::ptx_with_ends(litmus)).expect("the folder is ours");
    let module = frontend::import(&path, &FrontendOptions::default()).expect("a program");
    let kernel = module.kernels[0].kernel.as_ref().expect("a kernel");
    let code = interpreter::compile(kernel);
    let grid = Grid {
        local_size: [litmus.threads_of_block(), 1, 1],
        num_groups: [litmus.blocks(), 1, 1],
        global_offset: [0; 3],
        dimensions: 1,
        warp_size: 32,
    };
    let number = |name: &str| name.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
    let region = |name: &str| {
        let start = number(name).and_then(|place| litmus.places.get(place)).map_or(0, |(_, start)| *start);
        Region::new(BYTES, Fill::Bytes(start.to_le_bytes().to_vec()))
    };
    let regions: Vec<Region> = kernel.arrays.values().map(|data| region(&data.name)).collect();
    let local_bytes = vec![0; regions.len()];
    let input = Input { regions, local_bytes, private: Vec::new(), values: Vec::new() };
    let mut found = BTreeSet::new();
    for schedule in schedules {
        let how = How {
            most_steps: MOST_STEPS,
            schedule,
            warps_in_lock_step: false,
            lanes_apart: false,
            returned_arrive: false,
            races: Some(Races { tolerant: false, within_groups: false, between: None }),
            groups: None,
            workers: Workers::ONE,
            deadline: Deadline::NEVER,
        };
        let mut ran = interpreter::run(&code, &grid, input.clone(), how).expect("few threads");
        if ran.broken_off {
            continue;
        }
        let mut word = |place: usize, index: u64| {
            let at = kernel.arrays.values().position(|data| number(&data.name) == Some(place));
            at.map_or(0, |at| u32::try_from(ran.regions[at].load(4 * index, 4)).expect("a word"))
        };
        let memory = (0..litmus.places.len()).map(|place| word(place, 0)).collect();
        let mut told = 0..;
        let mut next = || word(litmus.places.len(), told.next().expect("few"));
        let registers = litmus.threads.iter().map(|thread| thread.registers.iter().map(|_| next()).collect()).collect();
        found.insert(End { registers, memory });
    }
    found
}
