//! The plan for a kernel's barriers in words, for `inspect --stage roles`.

use std::collections::BTreeSet;
use std::fmt::Write;

use lockstep_ir::kernel::Kernel;

use super::{Ring, RingIndex, Rounds, barrier};

impl Rounds {
    /// The roles, the rings, the constants between rings, and what progress rests on, of the kernel
    /// that was planned.
    pub fn describe(&self, kernel: &Kernel) -> String {
        let mut text = String::new();
        let places: Vec<String> = Self::operations(kernel)
            .keys()
            .map(|&instruction| {
                let data = &kernel.instructions[instruction];
                let place = kernel.place(data.location);
                let waits = barrier(&data.operation).is_some_and(|(.., waits)| waits);
                format!("{} at {}:{}", if waits { "waits" } else { "arrives" }, place.file, place.line)
            })
            .collect();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
        for (index, warps) in self.roles.iter().enumerate() {
            line(format!("role {index}: {}", self::warps(warps)));
            for (operation, rings) in self.sites.iter().enumerate() {
                for (&ring, _) in rings.iter().filter(|(_, of_site)| !of_site.is_disjoint(warps)) {
                    line(format!("    {}, {}", self.name(ring), places[operation]));
                }
            }
        }
        for (index, ring) in self.rings.iter().enumerate() {
            let wrong = [
                (self.miscounted.contains(&index), ", but others come"),
                (self.disordered.contains(&index), ", not in turn"),
            ];
            let wrong: String = wrong.iter().filter(|(is, _)| *is).map(|(_, text)| *text).collect();
            let threads = if ring.first.is_some() { format!(" for {} threads", ring.threads) } else { String::new() };
            line(format!("{}{threads}: {}{wrong}", self.name(index), warps(&ring.warps)));
        }
        for behind in &self.behind {
            line(format!(
                "order: for {}, round m of {}: after {} of {} (to be proved)",
                warps(&behind.warps),
                self.name(behind.ring),
                rounds("m", behind.by),
                self.name(behind.after),
            ));
        }
        for (after, row) in self.known.iter().enumerate() {
            for (ring, known) in row.iter().enumerate().filter(|(ring, _)| *ring != after) {
                if let Some(known) = known {
                    line(format!(
                        "distance: once w rounds of {} are complete, {} of {} are",
                        self.name(ring),
                        rounds("w", *known),
                        self.name(after),
                    ));
                }
            }
        }
        for lag in &self.lags {
            line(format!(
                "progress: who {} in round m of {} has come {} times to {} (to be proved)",
                places[lag.at],
                self.name(lag.ring),
                sum("m", lag.by),
                self.name(lag.other),
            ));
        }
        if self.circle.is_empty() {
            line("progress: no circle of waits".to_owned());
        }
        for &operation in &self.circle {
            line(format!("progress: on a circle of waits: {}", places[operation]));
        }
        text
    }

    fn name(&self, ring: RingIndex) -> String {
        let Ring { first, size, .. } = &self.rings[ring];
        match first {
            None => "the group's barrier".to_owned(),
            Some(first) if *size == 1 => format!("barrier {first}"),
            Some(first) => format!("barriers {first} to {} in turn", first + size - 1),
        }
    }
}

fn rounds(name: &str, by: i64) -> String {
    format!("{} rounds", sum(name, by))
}

fn sum(name: &str, by: i64) -> String {
    match by {
        0 => name.to_owned(),
        by if by < 0 => format!("{name} - {}", by.unsigned_abs()),
        by => format!("{name} + {by}"),
    }
}

/// Ranges of warps.
fn warps(all: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &warp in all {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == warp => *last = warp,
            _ => ranges.push((warp, warp)),
        }
    }
    let show = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let shown: Vec<String> = ranges.iter().map(show).collect();
    format!("{} {}", if all.len() == 1 { "warp" } else { "warps" }, shown.join(", "))
}
