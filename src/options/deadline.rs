//! The deadline for all work on a kernel.
//!
//! It is created once for a kernel, from `--timeout`, and passed to every stage: lowering, proofs,
//! searches, replays. Nothing before the deadline depends on the clock, because stages count their
//! work. After the deadline each stage ends soon, with the results that it has. The explanation of
//! a race, suggested fixes and some searches for preconditions have shorter limits of their own.

use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

/// The moment by which work has to end, if there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

/// The clock is not part of the key under which a result is cached: results that depended on the
/// clock are not cached.
impl Hash for Deadline {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Deadline {
    /// No deadline.
    pub const NEVER: Self = Self(None);

    /// The moment this long after now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// This moment.
    pub const fn at(moment: Instant) -> Self {
        Self(Some(moment))
    }

    /// Whether the deadline has passed.
    pub fn passed(self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }

    /// The time that is left.
    pub fn remaining(self) -> Duration {
        self.0.map_or(Duration::MAX, |moment| moment.saturating_duration_since(Instant::now()))
    }

    /// The moment of this deadline, or another one if there is no deadline.
    pub fn or(self, moment: Instant) -> Instant {
        self.0.unwrap_or(moment)
    }

    /// The earlier one of this deadline and a moment.
    pub fn or_earlier(self, moment: Instant) -> Instant {
        self.0.map_or(moment, |own| own.min(moment))
    }

    /// The earlier one of two deadlines.
    pub fn earlier(self, other: Self) -> Self {
        Self(other.0.map_or(self.0, |moment| Some(self.or_earlier(moment))))
    }

    /// The earlier one of this deadline and the moment this long after now.
    pub fn within(self, time: Duration) -> Self {
        self.earlier(Self::after(time))
    }

    /// The later one of this deadline and the moment this long after now.
    pub fn at_least(self, time: Duration) -> Self {
        let later = |moment: Instant| Some(Instant::now().checked_add(time)?.max(moment));
        Self(self.0.and_then(later))
    }

    /// The deadline moved this much later.
    pub fn later(self, time: Duration) -> Self {
        Self(self.0.and_then(|moment| moment.checked_add(time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_once() {
        let long = Duration::from_hours(1);
        assert!(!Deadline::NEVER.passed() && Deadline::NEVER.remaining() == Duration::MAX);
        assert!(!Deadline::after(long).passed() && Deadline::after(long).remaining() <= long);
        let now = Deadline::at(Instant::now());
        assert!(now.passed() && now.remaining().is_zero());
        assert!(!now.later(long).passed() && !now.at_least(long).passed());
        assert_eq!(Deadline::NEVER.at_least(long), Deadline::NEVER);
        let late = Deadline::after(2 * long);
        assert_eq!(late.at_least(long), late);
    }

    #[test]
    fn the_earlier_moment_counts() {
        let now = Instant::now();
        let later = now + Duration::from_secs(5);
        assert_eq!(Deadline::NEVER.or_earlier(now), now);
        assert_eq!((Deadline::at(now).or_earlier(later), Deadline::at(later).or_earlier(now)), (now, now));
        let never = Deadline::NEVER;
        assert_eq!(
            (Deadline::at(now).earlier(never), never.earlier(Deadline::at(now))),
            (Deadline::at(now), Deadline::at(now))
        );
    }

    #[test]
    fn a_share_of_the_time_ends_before_the_deadline() {
        let minute = Deadline::after(Duration::from_mins(1));
        assert_eq!(minute.within(Duration::from_hours(1)), minute);
        assert_eq!(minute.within(Duration::MAX), minute);
        assert!(minute.within(Duration::from_secs(1)).remaining() <= Duration::from_secs(1));
        assert_eq!(Deadline::NEVER.within(Duration::MAX), Deadline::NEVER);
    }

    #[test]
    fn a_time_without_end_is_no_deadline() {
        assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
    }
}
