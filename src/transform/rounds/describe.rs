//! The plan for a kernel's barriers in words, for `inspect --stage roles`.

use std::fmt::Write;

use lockstep_ir::kernel::Kernel;

use super::units::Names;
use super::{Barriers, RingIndex, Rounds, operations};

impl Rounds {
    /// The roles, the rings, the constants between rings, and what progress rests on, of the kernel
    /// that was planned.
    pub fn describe(&self, kernel: &Kernel) -> String {
        let mut text = String::new();
        let places: Vec<String> = operations(kernel, self.warp_size)
            .into_iter()
            .map(|(instruction, operation)| {
                let place = kernel.place(kernel.instructions[instruction].location);
                format!("{} at {}:{}", if operation.waits() { "waits" } else { "arrives" }, place.file, place.line)
            })
            .collect();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
        for (index, units) in self.roles.iter().enumerate() {
            line(format!("role {index}: {}", Names(units)));
            for (operation, rings) in self.sites.iter().enumerate() {
                for (&ring, _) in rings.iter().filter(|(_, of_site)| !of_site.is_disjoint(units)) {
                    line(format!("    {}, {}", self.name(kernel, ring), places[operation]));
                }
            }
        }
        for (index, ring) in self.rings.iter().enumerate() {
            let wrong = [
                (self.miscounted.contains(&index), ", but others come"),
                (self.disordered.contains(&index), ", not in turn"),
            ];
            let wrong: String = wrong.iter().filter(|(is, _)| *is).map(|(_, text)| *text).collect();
            let count = match ring.barriers {
                Barriers::Group | Barriers::Warp { .. } => String::new(),
                Barriers::Numbers { .. } => format!(" for {} threads", ring.count),
                Barriers::Objects { .. } => format!(" for {} arrivals", ring.count),
            };
            line(format!("{}{count}: {}{wrong}", self.name(kernel, index), Names(&ring.members)));
        }
        for behind in &self.behind {
            line(format!(
                "order: for {}, round m of {}: after {} of {} (to be proved)",
                Names(&behind.units),
                self.name(kernel, behind.ring),
                rounds("m", behind.by),
                self.name(kernel, behind.after),
            ));
        }
        for (after, row) in self.known.iter().enumerate() {
            for (ring, known) in row.iter().enumerate().filter(|(ring, _)| *ring != after) {
                if let Some(known) = known {
                    line(format!(
                        "distance: once w rounds of {} are complete, {} of {} are",
                        self.name(kernel, ring),
                        rounds("w", *known),
                        self.name(kernel, after),
                    ));
                }
            }
        }
        for lag in &self.lags {
            line(format!(
                "progress: who {} in round m of {} has come {} times to {} (to be proved)",
                places[lag.at],
                self.name(kernel, lag.ring),
                sum("m", lag.by),
                self.name(kernel, lag.other),
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

    fn name(&self, kernel: &Kernel, ring: RingIndex) -> String {
        let ring = &self.rings[ring];
        match ring.barriers {
            Barriers::Group => "the group's barrier".to_owned(),
            Barriers::Warp { warp, orders: true } => format!("the barrier of warp {warp}"),
            Barriers::Warp { warp, orders: false } => format!("the exchanges of warp {warp}"),
            Barriers::Numbers { first } if ring.size == 1 => format!("barrier {first}"),
            Barriers::Numbers { first } => format!("barriers {first} to {} in turn", first + ring.size - 1),
            Barriers::Objects { array, first, .. } => {
                let array = &kernel.arrays[array].name;
                let many = if ring.size == 1 { String::new() } else { format!(", {} in turn", ring.size) };
                format!("mbarrier at byte {first} of {array}{many}")
            }
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
