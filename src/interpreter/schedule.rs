//! A given schedule, turn by turn, which repeats a run.

use std::fmt;
use std::str::FromStr;

use super::launch::Launch;

/// The number of steps per turn after all given turns have been made.
const AFTERWARDS: u64 = 1 << 14;

/// The maximum number of recorded turns.
const MOST: usize = 20_000_000;

/// A turn: a thread makes this number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of the thread's group.
    pub group: u64,
    /// The thread's number in it.
    pub thread: u32,
    /// The number of steps.
    pub steps: u64,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} {}", self.group, self.thread, self.steps)
    }
}

impl FromStr for Turn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turn = || {
            let (who, steps) = text.trim().split_once(char::is_whitespace)?;
            let (group, thread) = who.split_once(':')?;
            let steps = steps.trim().parse().ok().filter(|steps| *steps > 0)?;
            Some(Self { group: group.parse().ok()?, thread: thread.parse().ok()?, steps })
        };
        turn().ok_or_else(|| format!("`{text}` is no turn: GROUP:THREAD STEPS, such as 0:5 12"))
    }
}

/// The turns of a run.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// The turns in order.
    pub made: Vec<Turn>,
    /// Whether some turns were not recorded.
    pub is_cut: bool,
}

impl Turns {
    /// Records that a thread has made some steps.
    pub fn add(&mut self, turn: Turn) {
        let is_full = self.made.len() >= MOST;
        match self.made.last_mut() {
            _ if turn.steps == 0 => {}
            Some(last) if (last.group, last.thread) == (turn.group, turn.thread) => last.steps += turn.steps,
            _ if is_full => self.is_cut = true,
            _ => self.made.push(turn),
        }
    }
}

impl Launch<'_> {
    /// Makes these turns, and then lets the threads that can run take turns.
    ///
    /// It returns the number of given turns whose thread could not run.
    pub fn given(&mut self, turns: &[Turn]) -> u64 {
        let mut left_out = 0;
        for turn in turns {
            while self.start_one() {}
            if self.broken_off || !self.pass_barrier() {
                break;
            }
            match self.can_run(turn.group, turn.thread) {
                Some(index) => self.turn(index, turn.thread as usize, turn.steps),
                None => left_out += 1,
            }
            self.forget_ended();
        }
        self.round_robin(AFTERWARDS);
        self.look_at_the_end();
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_as_they_are_written() {
        let turn = Turn { group: 3, thread: 17, steps: 400 };
        assert_eq!(turn.to_string(), "3:17 400");
        assert_eq!(" 3:17   400 ".parse(), Ok(turn));
        for wrong in ["3:17", "3 17 400", "3:17 0", "3:17 -1", "3:17 4 4", ""] {
            assert!(wrong.parse::<Turn>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn turns_of_one_thread_are_one() {
        let mut turns = Turns::default();
        let turn = |thread, steps| Turn { group: 0, thread, steps };
        for turn in [turn(1, 2), turn(1, 3), turn(2, 0), turn(1, 1), turn(2, 1)] {
            turns.add(turn);
        }
        assert_eq!(turns.made, [turn(1, 6), turn(2, 1)]);
    }
}
