//! The growth of cost: one kernel with more and more accesses, loops, arrays and threads.
//!
//! The kernel is made for the purpose ([`Shape::source`]): work-items fill rows of matrices, each
//! its own column. One of its numbers grows at a time, the others are those of [`MIDDLE`]. The
//! seconds are processor time beyond that of a kernel of one line, in the fastest of [`RUNS`] runs.
//! The exponent is the slope of a line through the last points of the curve with logarithmic axes:
//! `x` times as many accesses cost `x^exponent` times as much. Aim: the time must not depend on a
//! concrete group size, and must grow no faster than quadratically in accesses.
//!
//! The curves are drawn to `target/bench-growth.svg`, and the numbers written to
//! `target/bench-growth.json`. `cargo bench --bench growth -- NAME` measures the curves whose name
//! contains NAME.

mod shared;

use std::fmt::Write as _;
use std::path::Path;

use lockstep::report;
use plotters::coord::Shift;
use plotters::prelude::*;
use serde::Serialize;
use shared::{Case, Cost, Words, float};

/// The number of runs of each kernel.
const RUNS: usize = 3;

/// The time limit of a kernel, in seconds.
const TIMEOUT: &str = "--timeout=300";

/// The shape of the numbers that do not grow.
const MIDDLE: Shape = Shape { accesses: 4, loops: 2, arrays: 2, group_size: Some(64), statements: 0, terms: 0 };

/// The size of the kernel.
#[derive(Clone, Copy)]
struct Shape {
    accesses: usize,
    loops: usize,
    arrays: usize,
    /// Threads in a group; any number of them if open.
    group_size: Option<usize>,
    /// The number of statements, for a kernel without a loop.
    statements: usize,
    /// The number of terms, for a kernel with a single sum.
    terms: usize,
}

impl Shape {
    /// `out[row * size + id]` in a nest of loops, for different rows.
    fn source(self) -> String {
        if self.statements + self.terms > 0 {
            return self.straight_line();
        }
        let mut text = "__kernel void growth(int n".to_owned();
        for array in 0..self.arrays {
            let _ = write!(text, ", __global float *out{array}");
        }
        text.push_str(")\n{\n    int id = get_global_id(0);\n    int size = get_global_size(0);\n");
        let mut row = String::new();
        for depth in 0..self.loops {
            let indent = "    ".repeat(depth + 1);
            let _ = writeln!(text, "{indent}for (int i{depth} = 0; i{depth} < n; i{depth}++)");
            let _ = write!(row, "{}i{depth}", if depth == 0 { "" } else { " + " });
        }
        let indent = "    ".repeat(self.loops);
        let _ = writeln!(text, "{indent}{{");
        for access in 0..self.accesses {
            let (array, rows) = (access % self.arrays, self.accesses);
            let _ = writeln!(text, "{indent}    out{array}[(({row}) * {rows} + {access}) * size + id] = i0;");
        }
        let _ = writeln!(text, "{indent}}}\n}}");
        text
    }

    /// Statements that add to one element, or one with a long sum.
    fn straight_line(self) -> String {
        let mut text =
            "__kernel void growth(__global int *a, __global const int *b)\n{\n    int id = get_global_id(0);\n"
                .to_owned();
        for statement in 0..self.statements {
            let _ = writeln!(text, "    a[id] += {statement};");
        }
        let terms: Vec<String> = (0..self.terms).map(|term| format!("b[id + {term}]")).collect();
        if !terms.is_empty() {
            let _ = writeln!(text, "    a[id] =\n        {};", terms.join("\n        + "));
        }
        text.push_str("}\n");
        text
    }

    fn flags(self) -> Vec<String> {
        let size = self.group_size.map_or("*".to_owned(), |size| size.to_string());
        vec![format!("--local-size={size}"), "--num-groups=16".to_owned(), TIMEOUT.to_owned()]
    }
}

/// One number that grows.
struct Axis {
    name: &'static str,
    /// The values, `None` for an open group size.
    values: &'static [Option<usize>],
    shape: fn(Option<usize>) -> Shape,
    /// The largest acceptable exponent.
    aim: f64,
}

const AXES: [Axis; 6] = [
    Axis {
        name: "accesses",
        values: &[Some(1), Some(2), Some(4), Some(8), Some(16), Some(32), Some(64)],
        shape: |value| Shape { accesses: value.unwrap_or(1), ..MIDDLE },
        aim: 2.0,
    },
    Axis {
        name: "nested loops",
        values: &[Some(1), Some(2), Some(3), Some(4), Some(5), Some(6)],
        shape: |value| Shape { loops: value.unwrap_or(1), ..MIDDLE },
        aim: 2.0,
    },
    Axis {
        name: "arrays",
        values: &[Some(1), Some(2), Some(4), Some(8), Some(16), Some(32)],
        shape: |value| Shape { arrays: value.unwrap_or(1), accesses: value.unwrap_or(1), ..MIDDLE },
        aim: 1.0,
    },
    Axis {
        name: "group size",
        values: &[Some(32), Some(64), Some(128), Some(256), Some(512), Some(1024), None],
        shape: |value| Shape { group_size: value, ..MIDDLE },
        aim: 0.0,
    },
    Axis {
        name: "statements",
        values: &[Some(500), Some(1_000), Some(2_000), Some(4_000), Some(10_000)],
        shape: |value| Shape { statements: value.unwrap_or(1), ..MIDDLE },
        aim: 1.0,
    },
    Axis {
        name: "terms",
        values: &[Some(500), Some(1_000), Some(2_000), Some(4_000), Some(10_000)],
        shape: |value| Shape { terms: value.unwrap_or(1), ..MIDDLE },
        aim: 1.0,
    },
];

/// The tolerance of a measured exponent.
const TOLERANCE: f64 = 0.15;

#[derive(Serialize)]
struct Point {
    /// `None` if it is open.
    value: Option<usize>,
    seconds: f64,
    cost: Cost,
}

#[derive(Serialize)]
struct Curve {
    name: &'static str,
    exponent: f64,
    aim: f64,
    points: Vec<Point>,
}

fn main() {
    let words = Words::read();
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let least = least(folder.path());
    report::show(&format!("a kernel of one line: {least:.2} s\n\n")).expect("the standard output can be written to");
    let curves: Vec<Curve> =
        AXES.iter().filter(|axis| words.want(axis.name)).map(|axis| measure(axis, least, folder.path())).collect();
    let path = shared::in_target("bench-growth.svg");
    draw(&path, &curves).expect("a picture can be drawn");
    report::show(&format!("{}\n", path.display())).expect("the standard output can be written to");
    shared::write_json("bench-growth.json", &curves);
}

/// The time of a kernel that does nothing.
fn least(folder: &Path) -> f64 {
    let path = folder.join("nothing.cl");
    std::fs::write(&path, "__kernel void nothing(void) {}\n").expect("a temporary file can be written");
    let case = Case { name: "nothing".to_owned(), path, flags: MIDDLE.flags(), defective: false };
    shared::fastest(&case, &[], RUNS).cpu_seconds
}

fn measure(axis: &Axis, least: f64, folder: &Path) -> Curve {
    let mut points = Vec::new();
    for &value in axis.values {
        let shape = (axis.shape)(value);
        let path = folder.join("growth.cl");
        std::fs::write(&path, shape.source()).expect("a temporary file can be written");
        let case = Case { name: "growth".to_owned(), path, flags: shape.flags(), defective: false };
        let cost = shared::fastest(&case, &[], RUNS);
        let seconds = (cost.cpu_seconds - least).max(0.01);
        let shown = value.map_or("*".to_owned(), |value| value.to_string());
        report::show(&format!(
            "{:>14} {shown:>5} {:>9} {seconds:>9.3} s  (infer {:.3} s, prove {:.3} s, {} queries, {:.0} MB)\n",
            axis.name, cost.verdict, cost.infer_seconds, cost.prove_seconds, cost.queries, cost.peak_mb
        ))
        .expect("the standard output can be written to");
        points.push(Point { value, seconds, cost });
    }
    let exponent = exponent(&points);
    let right = points.iter().all(|point| point.cost.right);
    let verdict = match (right, exponent <= axis.aim + TOLERANCE) {
        (false, _) => "NOT ALL VERIFIED",
        (true, false) => "FASTER THAN THE AIM",
        (true, true) => "as wanted",
    };
    report::show(&format!("{:>14} exponent {exponent:.2}, aim at most {:.0}: {verdict}\n\n", axis.name, axis.aim))
        .expect("the standard output can be written to");
    Curve { name: axis.name, exponent, aim: axis.aim, points }
}

/// The number of points at the end of a curve that count.
///
/// The earlier points mostly show the cost of any kernel.
const LAST: usize = 4;

/// The slope of the line through the last points with a value, on logarithmic axes, by least
/// squares.
fn exponent(points: &[Point]) -> f64 {
    let known: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|point| Some((float(point.value?).ln(), point.seconds.max(f64::MIN_POSITIVE).ln())))
        .collect();
    let last = &known[known.len().saturating_sub(LAST)..];
    let count = float(last.len());
    let mean = |of: fn(&(f64, f64)) -> f64| last.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = last.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    along / last.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A picture of all curves, one beside the other.
fn draw(path: &Path, curves: &[Curve]) -> Drawn {
    let area = SVGBackend::new(path, (1000, 800)).into_drawing_area();
    area.fill(&WHITE)?;
    for (area, curve) in area.split_evenly((2, 2)).iter().zip(curves) {
        draw_one(area, curve)?;
    }
    area.present()?;
    Ok(())
}

fn draw_one(area: &DrawingArea<SVGBackend<'_>, Shift>, curve: &Curve) -> Drawn {
    // An open size stands to the right of all others.
    let largest = curve.points.iter().filter_map(|point| point.value).max().unwrap_or(1);
    let at = |point: &Point| (float(point.value.unwrap_or(2 * largest)), point.seconds);
    let points: Vec<(f64, f64)> = curve.points.iter().map(at).collect();
    let of = |pick: fn(&(f64, f64)) -> f64| points.iter().map(pick);
    let (left, right) = (of(|p| p.0).fold(f64::MAX, f64::min), of(|p| p.0).fold(0.0, f64::max));
    let (low, high) = (of(|p| p.1).fold(f64::MAX, f64::min), of(|p| p.1).fold(0.0, f64::max));
    let caption = format!("{}: exponent {:.2}", curve.name, curve.exponent);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d((left * 0.9..right * 1.1).log_scale(), (low / 3.0..high * 3.0).log_scale())?;
    let label = |x: &f64| if *x > float(largest) * 1.5 { "*".to_owned() } else { format!("{x}") };
    chart.configure_mesh().x_desc(curve.name).y_desc("seconds").x_label_formatter(&label).draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), &BLUE))?;
    chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, BLUE.filled())))?;
    Ok(())
}
