//! Sentences for the facts that a possible finding hinges on.

use lockstep_ir::sequential::Unknown;
use lockstep_ir::source::Place;
use lockstep_verdict::Finding;
use lockstep_verdict::hinge::{Difference, Hinge, NoRun, Order, Stop, Stopped, Tried};

/// The facts that an unconfirmed finding hinges on, in words; `None` for a confirmed one.
pub fn of_possible(finding: &Finding) -> Option<String> {
    in_words(&finding.hinges).filter(|_| !finding.confirmed)
}

/// The parameters that a confirmed finding hinges on, one sentence each; none for a possible one.
pub fn of_confirmed(finding: &Finding) -> Vec<String> {
    if finding.confirmed { finding.hinges.iter().map(hinge).collect() } else { Vec::new() }
}

/// All hinges as clauses of one sentence; `None` if there are none.
pub fn in_words(hinges: &[Hinge]) -> Option<String> {
    let clauses: Vec<String> = hinges.iter().map(hinge).collect();
    (!clauses.is_empty()).then(|| clauses.join("; "))
}

/// One hinge as a clause.
pub fn hinge(hinge: &Hinge) -> String {
    match hinge {
        Hinge::Value { unknown, place } => unknown_value(unknown, place.as_ref()),
        Hinge::MoreValues(more) => format!("{more} more values are unknown"),
        Hinge::Parameter { name, value } => format!("it hinges on the parameter {name}, here {value}"),
        Hinge::OfHost { name } => format!(
            "a run shows it, but the host computes {name} where that is not followed, and may never pass this value"
        ),
        Hinge::Contents => "a run shows it with contents of its own; with orderly contents there is none, and \
            those of the program are not known"
            .to_owned(),
        Hinge::OtherRun { first } => {
            let launches = match first {
                None => "the program without options makes this launch, and does not have it".to_owned(),
                Some(1) => "the first such launch of the program without options does not have it".to_owned(),
                Some(first) => {
                    format!("the first {first} such launches of the program without options do not have it")
                }
            };
            format!("a run shows it with numbers or contents of its own; {launches}")
        }
        Hinge::SetByHost(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "a run shows it with the initial contents of {}, which the host sets; with others there is none, and \
                 those of the program are not known",
                names.join(", ")
            )
        }
        Hinge::BehindDefect => "a run shows it with numbers or contents of its own; the run of the program without \
            options ends at another defect"
            .to_owned(),
        Hinge::OtherSizes { launched } => {
            let sizes: Vec<String> = launched.iter().map(threads).collect();
            format!(
                "a run shows it in groups of another size; the program without options launches groups of {} threads",
                sizes.join(" or ")
            )
        }
        Hinge::NeverLaunched => "a run shows it, but `main` comes to no launch of the kernel in these files; \
            --local-size and --num-groups say how others do"
            .to_owned(),
        Hinge::Axioms => "the axioms of --boogie-file are used for terms of the kernel only".to_owned(),
        Hinge::NotReplayed => "not replayed".to_owned(),
        Hinge::TimeUp => "the time was up before a run showed it".to_owned(),
        Hinge::Tried(tried) => self::tried(tried),
    }
}

/// The size of a group, without the dimensions at the end that have one thread: `16x8`.
fn threads(size: &[u32; 3]) -> String {
    let used = size.iter().rposition(|&threads| threads != 1).unwrap_or(0);
    size[..=used].iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// ` at k.cl:3`, or nothing if the line is not known.
pub(super) fn at(place: Option<&Place>) -> String {
    place.map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line))
}

fn unknown_value(unknown: &Unknown, place: Option<&Place>) -> String {
    let at = at(place);
    match unknown {
        Unknown::Load(array) => format!("the value loaded from {array}{at} is unknown"),
        Unknown::Atomic(array) => format!("the value an atomic operation on {array}{at} returned is unknown"),
        Unknown::Contents(array) => format!("the contents of {array} after the synchronisation{at} are unknown"),
        Unknown::Undefined => format!("a value{at} is uninitialised, undefined or not modelled"),
        Unknown::Unmodelled(what) => format!("{what}{at} is not modelled"),
        Unknown::Choice => format!("a choice of the proof{at}"),
    }
}

fn tried(tried: &Tried) -> String {
    let unwritten = tried.unwritten.iter().map(|read| format!("runs take zero for {}", stop(read)));
    let beside = tried.beside.iter().map(difference);
    unwritten.chain(beside).chain([outcome(tried)]).collect::<Vec<_>>().join("; ")
}

fn difference(difference: &Difference) -> String {
    match difference {
        Difference::HostVariables(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("runs leave at zero what the host sets, {}", names.join(", "))
        }
        Difference::ReturnsArrive => {
            "runs order what a thread did before it returned by the barriers after that".to_owned()
        }
        Difference::OverlappingAtomics => {
            "runs take atomic operations of equal width that overlap as atomic to each other".to_owned()
        }
        Difference::VolatileWrites => {
            "runs take two writes of the same value as no race, even if one is volatile".to_owned()
        }
        Difference::ReturnedLanes => "runs do not wait for lanes that have returned".to_owned(),
        Difference::Addresses => "runs compare addresses that they have chosen".to_owned(),
    }
}

/// The reason why no run shows the finding: the first obstacle in the order of
/// `src/replay/obstacles.rs`.
fn outcome(tried: &Tried) -> String {
    if let Some(why) = &tried.refused {
        return format!("no run shows it: {}", no_run(why));
    }
    if tried.is_stated {
        return "no run shows it: runs do not evaluate this annotation".to_owned();
    }
    if let Some(what) = &tried.after {
        return format!("runs show it only after {}", stop(what));
    }
    match (&tried.stopped_by, tried.broken_off, tried.ended) {
        (Some(what), None, 0) => format!("no run reaches it: before it there is {}", stop(what)),
        (None, Some(steps), 0) => format!("no run reaches it within {steps} steps"),
        (Some(what), Some(steps), 0) => {
            format!("no run reaches it: within {steps} steps, or before it there is {}", stop(what))
        }
        (_, _, 0) => "no run shows it: none could be made".to_owned(),
        (_, _, ended) => without_it(tried, ended),
    }
}

/// The clause for runs that ended without showing the finding.
fn without_it(tried: &Tried, ended: usize) -> String {
    let order = |order: &Order| match order {
        Order::OneByOne => "thread after thread",
        Order::InTurns => "in turns",
    };
    let orders = tried.orders.iter().map(order).collect::<Vec<_>>().join(" and ");
    let hinges_on_more = tried.has_unknowns || tried.unwritten.is_some() || !tried.beside.is_empty();
    match ended {
        1 if hinges_on_more => format!("the run of the launch, {orders}, does not have it"),
        several if hinges_on_more => {
            format!("none of {several} runs with different contents of the arrays, {orders}, has it")
        }
        several => {
            let loops = if tried.is_in_loop { ", on what the loops have done before" } else { "" };
            let runs = match several {
                1 => "the run of the launch does not have".to_owned(),
                several => format!("none of {several} runs has"),
            };
            format!("it hinges on an order of the threads{loops} or on contents of the arrays that {runs}, {orders}")
        }
    }
}

fn no_run(why: &NoRun) -> String {
    match why {
        NoRun::TooManyThreads => "the launch has more threads than a run can have".to_owned(),
        NoRun::TooManyToTellApart => "too many threads to tell their accesses apart".to_owned(),
        NoRun::TooMuchMemory(bytes) => format!("the threads that run at the same time need {} MiB", bytes >> 20),
        NoRun::Arguments => "its arguments cannot be given to a run".to_owned(),
        NoRun::NoDebugInformation => "without debug information (-g) nobody can tell its places in a run".to_owned(),
    }
}

/// An event of a run, with its place.
pub(super) fn stop(stop: &Stop) -> String {
    format!("{}{}", stopped(&stop.what), at(stop.place.as_ref()))
}

fn stopped(what: &Stopped) -> String {
    let fixed = match what {
        Stopped::OutOfBounds { array, offset, writes } => {
            let access = if *writes { "a write" } else { "a read" };
            return format!("{access} at byte {offset} of `{array}`, outside of the memory that the run gives it,");
        }
        Stopped::OutsideImage(array) => {
            return format!("an access outside of the image that the run gives `{array}`");
        }
        Stopped::Misaligned(array) => return format!("a misaligned access to `{array}`"),
        Stopped::ConstantWritten(array) => return format!("a write to constant memory, `{array}`"),
        Stopped::Undefined(what) => return format!("undefined behaviour, {what}"),
        Stopped::AnyValue(what) => return format!("a value that the language leaves open, {what}"),
        Stopped::Refused(operation) => return format!("{operation}, which is not run"),
        Stopped::UnknownResult(function) => return format!("the result of {function}, which is not known"),
        Stopped::Unwritten(array) => return format!("a read of memory that nobody has written, of `{array}`"),
        Stopped::Race(array) => return format!("another race, on `{array}`"),
        Stopped::Null => "an access through the null pointer",
        Stopped::Assumption => "an assumption that does not hold",
        Stopped::NoSuchBarrier => "a barrier that does not exist",
        Stopped::NobodyWaits => "threads that arrive at a barrier where nobody waits",
        Stopped::Phase => "an mbarrier that is used wrongly",
        Stopped::InactiveSource => "a read from a lane that does not take part",
        Stopped::GoesRound => "a loop that never ends",
        Stopped::Unreachable => "code that the source calls unreachable",
        Stopped::NotModelled => "a value that is not modelled",
        Stopped::Assertion => "an assertion that does not hold",
        Stopped::WaitsForEver => "a thread that waits for ever",
        Stopped::Differs => "a group operation with different operands",
        Stopped::NotWaitedFor => "a copy that nobody waits for",
        Stopped::NotInMask => "a lane outside its own mask",
        Stopped::Trap => "a trap",
    };
    fixed.to_owned()
}
