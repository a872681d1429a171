//! Groups that several workers run: they report the same as one worker, and give up where they
//! must.

use std::fmt::Write as _;

use lockstep::deadline::Deadline;
use lockstep::frontend::{FrontendOptions, import};
use lockstep::interpreter::arguments::{Given, prepare};
use lockstep::interpreter::{self, Event, Grid, How, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::VerifiedKernel;

/// Threads in a group.
const THREADS: u32 = 8;

/// Enough for all tests but one.
const STEPS: u64 = 1 << 40;

/// A kernel in a launch of this many groups.
struct Launch {
    kernel: VerifiedKernel,
    grid: Grid,
    arguments: Vec<Given>,
    most_steps: u64,
    races: Option<Races>,
}

impl Launch {
    fn new(groups: u32, body: &str, arguments: &[(&str, &str)]) -> Self {
        let file = tempfile::Builder::new().suffix(".cl").tempfile().expect("a file");
        std::fs::write(file.path(), body).expect("a file can be written");
        let module = import(file.path(), &FrontendOptions::default()).expect("it compiles");
        let kernel = module.kernels.into_iter().next().expect("a kernel").kernel.expect("a kernel that can be read");
        let given = |&(name, value): &(&str, &str)| Given { name: name.to_owned(), value: value.to_owned() };
        Self {
            kernel,
            grid: Grid {
                local_size: [THREADS, 1, 1],
                num_groups: [groups, 1, 1],
                global_offset: [0; 3],
                dimensions: 1,
                warp_size: 32,
            },
            arguments: arguments.iter().map(given).collect(),
            most_steps: STEPS,
            races: Some(Races { tolerant: true, within_groups: false, between: None }),
        }
    }

    fn run(&self, workers: usize) -> Ran {
        let how = How {
            most_steps: self.most_steps,
            schedule: Schedule::InOrder,
            warps_in_lock_step: false,
            lanes_apart: false,
            returned_arrive: false,
            races: self.races,
            groups: None,
            workers: Workers { most: workers, alone: 0 },
            deadline: Deadline::NEVER,
        };
        let prepared = prepare(&self.kernel, &self.grid, &self.arguments, &[]).expect("arguments that fit");
        let code = interpreter::compile(&self.kernel);
        interpreter::run(&code, &self.grid, prepared.input, how).expect("a small launch")
    }

    /// The report of one worker.
    ///
    /// Two, three and five workers report the same, and do so together, or all but one give up.
    #[track_caller]
    fn tells_the_same(&self, together: bool) -> Ran {
        let one = self.run(1);
        for workers in [2, 3, 5] {
            let several = self.run(workers);
            assert_eq!(told(&one), told(&several), "{workers} workers");
            assert_eq!(several.workers, if together { workers } else { 1 });
        }
        one
    }
}

/// The whole report, including the bytes kept of accesses: these kernels need no lists.
fn told(ran: &Ran) -> String {
    let mut text = format!("{:?} {} {} {:?}\n", ran.events, ran.steps, ran.broken_off, ran.watched);
    for region in &ran.regions {
        let bytes: Vec<u8> = region.contents(region.reach()).flatten().collect();
        writeln!(text, "{} {bytes:?}", region.touched()).expect("a text has room");
    }
    text
}

fn groups(events: &[Event]) -> Vec<u32> {
    events.iter().map(|event| event.group[0]).collect()
}

fn race(ran: &Ran) -> interpreter::Race {
    match ran.events[..] {
        [Event { what: Wrong::Race(race), .. }] => race,
        _ => panic!("not one race: {:?}", ran.events),
    }
}

#[test]
fn writes_of_all_groups_are_put_together() {
    let body = "kernel void k(global int *a, global const int *b) {
        int i = get_global_id(0);
        a[i] = 3 * b[i] + b[0];
    }";
    let ran = Launch::new(2000, body, &[("b", "iota:int*16000")]).tells_the_same(true);
    assert_eq!(ran.events, []);
    let bytes: Vec<u8> = ran.regions[0].contents(64_000).flatten().collect();
    assert_eq!(bytes[63_996..], 47_997i32.to_le_bytes());
}

#[test]
fn bytes_of_one_page_are_put_together() {
    let body = "kernel void k(global uchar *a) {
        int i = get_global_id(0);
        a[i] += i;
    }";
    let ran = Launch::new(16, body, &[("a", "random:uchar*128")]).tells_the_same(true);
    assert_eq!(ran.regions[0].touched(), 4096);
}

#[test]
fn a_race_between_groups_is_told_by_one() {
    // The first and the last threads of neighbouring groups.
    let body = "kernel void k(global int *a) {
        int i = get_global_id(0);
        a[i - i / 8] = i;
    }";
    let ran = Launch::new(10, body, &[]).tells_the_same(false);
    assert_eq!((race(&ran).group, race(&ran).thread, groups(&ran.events)), (0, 7, vec![1]));
}

#[test]
fn a_race_between_the_first_and_the_last_group_alone_is_told() {
    let body = "kernel void k(global int *a) {
        int i = get_global_id(0);
        a[i == 79 ? 0 : i] = i;
    }";
    let ran = Launch::new(10, body, &[]).tells_the_same(false);
    assert_eq!((race(&ran).group, groups(&ran.events)), (0, vec![9]));
}

#[test]
fn a_race_in_each_group_is_told_once() {
    let body = "kernel void k(global int *a) {
        a[get_group_id(0)] = get_local_id(0);
    }";
    let ran = Launch::new(10, body, &[]).tells_the_same(true);
    assert_eq!((race(&ran).group, groups(&ran.events)), (0, vec![0]));
}

#[test]
fn errors_are_reported_once_in_order() {
    // One place in the first and the last groups, one in the last alone, and one in all: each group
    // reaches them in this order.
    let body = "kernel void k(global int *a, global int *b, global int *c) {
        int g = get_group_id(0);
        if (g == 0 || g >= 8) a[100000] = 1;
        if (g == 9) b[100001] = 2;
        c[100002] = 3;
    }";
    let sizes = ["a", "b", "c"].map(|name| (name, "zeros:int*100"));
    let ran = Launch::new(10, body, &sizes).tells_the_same(true);
    assert_eq!(groups(&ran.events), [0, 0, 9]);
}

#[test]
fn writes_of_another_group_are_read_in_order() {
    for (neighbour, seen) in [("i + 8", 0), ("i >= 8 ? i - 8 : i + 80", 1)] {
        let body = format!(
            "kernel void k(global int *a, global int *b) {{
                int i = get_global_id(0);
                a[i] = 1;
                b[i] = a[{neighbour}];
            }}"
        );
        let mut launch = Launch::new(10, &body, &[("a", "zeros:int*200")]);
        launch.tells_the_same(false);
        launch.races = None;
        let ran = launch.tells_the_same(false);
        let bytes: Vec<u8> = ran.regions[1].contents(40 * 4).flatten().collect();
        assert_eq!(bytes[39 * 4], seen, "{neighbour}");
    }
}

#[test]
fn nothing_that_a_group_leaves_shows_in_the_next() {
    // Local memory that nobody has written. One group accesses bytes of a word in it, and others
    // whole words that two threads write: the second byte differs.
    let body = "kernel void k(global int *a) {
        local uint word[2];
        local int never;
        int g = get_group_id(0), i = get_local_id(0);
        if (g % 4 == 0) ((local uchar *)word)[i] = i;
        if (g % 4 == 1 && i < 2) word[0] = i << 8;
        if (g == 7) a[g] = never;
    }";
    let ran = Launch::new(8, body, &[]).tells_the_same(true);
    assert_eq!(groups(&ran.events), [1, 7]);
    let Wrong::Race(race) = ran.events[0].what else { panic!("no race: {:?}", ran.events) };
    assert_eq!(race.offset, 0, "as if nobody had accessed its bytes");
}

/// A page's cells are bytes from the first access to one of its bytes on.
///
/// A race that one worker finds in a word is a race in a byte to a worker that has seen such an
/// access.
#[test]
fn where_in_a_word_a_race_is_told_depends_on_other_groups() {
    let body = "kernel void k(global uint *a) {
        int g = get_group_id(0), i = get_local_id(0);
        if (g == 0) ((global uchar *)a)[i] = i;
        if (g == 9 && i < 2) a[10] = i << 8;
    }";
    let ran = Launch::new(10, body, &[]).tells_the_same(false);
    assert_eq!(race(&ran).offset, 41);
}

/// Groups that take long give way, so the effects of others come first.
#[test]
fn turns_are_those_of_one() {
    // The groups run longer than a turn: group 1 reaches its place after all others, group 4 after
    // two turns more.
    let body = "kernel void k(global int *a, global int *out) {
        int g = get_group_id(0), i = get_global_id(0);
        uint sum = 0;
        int count = g == 1 ? 100000 : g == 4 ? 400000 : 10;
        for (int n = 0; n < count; n++) sum = sum * 31 + (n ^ i) % 17;
        if (g == 1 || g == 6) a[100000] = sum;
        if (g == 4 || g == 1) a[-1] = sum;
        out[i] = sum;
    }";
    let mut launch = Launch::new(8, body, &[("a", "zeros:int*10")]);
    let ran = launch.tells_the_same(true);
    assert_eq!(groups(&ran.events), [6, 1]);
    // The limits lie somewhere in the first turns, and in later ones.
    for most_steps in [1000, 3_000_000, ran.steps - 1, ran.steps, ran.steps + 1] {
        launch.most_steps = most_steps;
        let limited = launch.tells_the_same(most_steps > ran.steps);
        assert_eq!(limited.broken_off, most_steps < ran.steps);
    }
}

/// A group waits for a write of a later one.
#[test]
fn groups_that_wait_for_each_other_are_left_to_one() {
    let body = "kernel void k(global volatile int *flags, global int *out) {
        int g = get_group_id(0), i = get_local_id(0);
        if (i == 0) {
            if (g + 1 < get_num_groups(0)) while (flags[g + 1] == 0) {}
            flags[g] = 1;
        }
        out[get_global_id(0)] = g;
    }";
    let mut launch = Launch::new(6, body, &[]);
    launch.races = None;
    let ran = launch.tells_the_same(false);
    assert!(!ran.broken_off);
}

/// Reads of one place by all groups are no race, whichever worker keeps them.
///
/// Local atomic operations concern no other group.
#[test]
fn shared_reads_and_local_atomics_concern_no_other_group() {
    let body = "kernel void k(global const int *in, global int *out) {
        local int count;
        int i = get_local_id(0);
        if (i == 0) count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < 20; n++) if (in[n] & 1) atomic_inc(&count);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == 0) out[get_group_id(0)] = count;
    }";
    let ran = Launch::new(20, body, &[("in", "iota:int*20")]).tells_the_same(true);
    assert_eq!((ran.events.len(), ran.watched.map(|watched| watched.unsure)), (0, Some(Vec::new())));
}
