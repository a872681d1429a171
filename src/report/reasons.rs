//! Sentences for the reasons why a kernel has no verdict.

use lockstep_ir::sequential::{AccessKind, Claim, Ground, Pair};
use lockstep_ir::source::Place;
use lockstep_verdict::KernelReport;
use lockstep_verdict::hinge::Stopped;
use lockstep_verdict::reason::{
    AccessPlace, Advice, Cause, Goal, GoalClaim, Instead, LoopPlace, Loss, LostInvariant, Meaning, Missing, Phase,
    QuestionClaim, Reason, Refuted, Spent, Unproved, Work,
};

use super::advice as next_step;
use super::assumptions::assumption;
use super::hinges::{self, at};

/// The reasons of a report as lines, without repetitions; `None` if it has none.
pub fn of(report: &KernelReport) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in report.reasons.iter().map(|listed| reason(listed, &report.file)) {
        for line in text.lines() {
            // Several pairs of threads may have the same reason.
            if !lines.iter().any(|known| known == line) {
                lines.push(line.to_owned());
            }
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The preconditions that contradict each other, in words.
pub fn contradiction(grounds: &[Ground]) -> String {
    let ground = |ground: &Ground| match ground {
        Ground::Model(words) => words.clone(),
        Ground::Source => "__requires".to_owned(),
        Ground::Given => "--assume".to_owned(),
        Ground::Host => "the source launches it so".to_owned(),
    };
    let grounds: Vec<String> = grounds.iter().map(ground).collect();
    format!("the preconditions contradict each other: {}", grounds.join("; "))
}

/// A reason in words, for a kernel in this file: a sentence, and further lines with details.
pub fn reason(reason: &Reason, kernel_file: &str) -> String {
    match reason {
        Reason::NotRead { construct, place } => {
            let help = next_step::not_read(construct);
            format!("unsupported: {construct}{}\nhelp: {help}", in_parentheses(place.as_ref()))
        }
        Reason::NotLowered { construct, place } => {
            let help = next_step::not_lowered(construct);
            format!("unsupported: {construct}{}\nhelp: {help}", in_parentheses(place.as_ref()))
        }
        Reason::TooManyPairs(most) => format!(
            "too large: more than {most} pairs of accesses to one array would have to be compared (between barriers, \
             and in one program)\nhelp: fewer arrays at a time (--check-arrays), or `lockstep run`, which executes the \
             kernel and looks for its defects"
        ),
        Reason::LoweringOutOfTime(limit) => format!(
            "timeout after {} s: the time was up while the kernel was lowered\nhelp: a longer --timeout",
            limit.as_secs_f64()
        ),
        Reason::Unproved(unproved) => self::unproved(unproved),
        Reason::BarrierRule { rule, place } => {
            let at = at(place.as_ref());
            let help = "help: `lockstep inspect --stage roles` prints what is to be shown of the barriers";
            format!(
                "barriers: it is not shown that {}{at}, and no run was found in which it is not so\n{help}",
                rule.statement()
            )
        }
        Reason::BrokenOff => "other threads of this kernel have a defect".to_owned(),
        Reason::PreconditionsUndecided => {
            "the preconditions could not be shown to be satisfiable\nhelp: a longer --timeout".to_owned()
        }
        Reason::EndUndecided => {
            "the end of the kernel could not be shown to be reachable\nhelp: a longer --timeout".to_owned()
        }
        Reason::EndUnreachable => "nothing would be proved: the end of the kernel cannot be reached: the assumptions \
                                   on the way contradict each other, or a loop never ends"
            .to_owned(),
        Reason::NeverReturns => {
            "nothing would be proved: the kernel never ends, no path through it leads to a return".to_owned()
        }
        Reason::NoDefectFound { depth, spent } => no_defect_found(*depth, *spent),
        Reason::Possible { kind, array, places } => {
            let places = if places.is_empty() { String::new() } else { format!(" ({})", joined(places, ", ")) };
            let array = array.as_ref().map_or(String::new(), |array| format!(" on `{array}`"));
            let kind = kind.replace('-', " ");
            format!("a possible {kind}{array}{places} is neither confirmed by a run nor excluded by a proof")
        }
        Reason::MorePossible(more) => {
            format!("{more} more possible findings are neither confirmed nor excluded")
        }
        Reason::MaybeUnwritten { place, hinges } => {
            let because = hinges::in_words(hinges).map_or(String::new(), |because| format!(": {because}"));
            format!("the read{} is not proved to follow a write{because}", at(place.as_ref()))
        }
        Reason::FenceOrdering { fence, array, lines: [first, second] } => format!(
            "fence ordering: whether the fence{} orders the accesses to `{array}` in lines {first} and {second} is \
             not proved\nhelp: a barrier or atomics that order them, or `lockstep run`, which looks for a run with \
             the race",
            in_parentheses(fence.as_ref())
        ),
        Reason::Contradicted { kind, places } => format!(
            "a counterexample was contradicted by its run, which makes it a fault in Lockstep: {kind} at {}",
            joined(places, " and ")
        ),
        Reason::SamePointer([first, second]) => format!(
            "the launch passes one pointer to `{first}` and `{second}`, which a proof takes for arrays that do not \
             overlap, and the kernel writes there"
        ),
        Reason::Refuted(refuted) => self::refuted(refuted, kernel_file),
        Reason::OutOfTime(work, limit) => format!(
            "timeout after {} s: {} was broken off (--timeout gives more time)",
            limit.as_secs_f64(),
            self::work(*work)
        ),
        Reason::OutOfMemory(work, bytes) => format!(
            "out of memory: {} took more than {} MiB and was broken off (--memory gives more)",
            self::work(*work),
            bytes >> 20
        ),
        Reason::Fault(Work::Judging, message) => format!("a fault in Lockstep itself: {message}"),
        Reason::Fault(Work::Reading, message) => format!("a fault in Lockstep while reading the file: {message}"),
        Reason::WorkerEnded { work, end, last } => {
            let last = last.as_ref().map_or(String::new(), |line| format!("; it said last: {line}"));
            format!("the worker process {end} while {}{last}", self::work(*work))
        }
        Reason::NotConfirmed(model) => {
            format!("the proof is not confirmed, so Lockstep or the second solver is wrong: {model}")
        }
    }
}

fn work(work: Work) -> &'static str {
    match work {
        Work::Reading => "reading the file",
        Work::Judging => "judging the kernel",
    }
}

/// ` (k.cl:3)`, ` (k.cl)` if the line is not known, or nothing.
fn in_parentheses(place: Option<&Place>) -> String {
    match place {
        None => String::new(),
        Some(Place { file, line: 0 }) => format!(" ({file})"),
        Some(Place { file, line }) => format!(" ({file}:{line})"),
    }
}

fn joined(places: &[Place], between: &str) -> String {
    let places: Vec<String> = places.iter().map(|place| format!("{}:{}", place.file, place.line)).collect();
    places.join(between)
}

fn spent(spent: Spent) -> String {
    match spent {
        Spent::Time(limit) => format!("timeout after {} s", limit.as_secs_f64()),
        Spent::Budget(limit) => format!("solver budget exhausted (--timeout {})", limit.as_secs_f64()),
    }
}

fn no_defect_found(depth: u32, limit: Option<Spent>) -> String {
    let iterations = if depth == 1 { "1 iteration".to_owned() } else { format!("{depth} iterations") };
    let none = format!("only defects were looked for (--findbugs, up to {iterations} of each loop); none was found");
    limit.map_or(none.clone(), |limit| format!("{}; {none}", spent(limit)))
}

fn refuted(refuted: &Refuted, kernel_file: &str) -> String {
    let runs = match refuted.runs {
        1 => "the run that was tried breaks".to_owned(),
        runs => format!("each of {runs} runs that were tried breaks"),
    };
    format!(
        "nothing would be proved: {runs} an assumption that the proof rests on\nassumed: {}\na run: {}",
        assumption(&refuted.assumption, kernel_file),
        instead(&refuted.instead)
    )
}

fn instead(instead: &Instead) -> String {
    match instead {
        Instead::Event(event) => {
            let what = match &event.what {
                Stopped::Undefined(what) | Stopped::AnyValue(what) => what.clone(),
                Stopped::Assumption => "a thread for which it does not hold".to_owned(),
                Stopped::Unreachable => "a thread reaches it".to_owned(),
                Stopped::GoesRound => "a thread waits for ever in a loop".to_owned(),
                Stopped::OutOfBounds { array, offset, .. } => format!("an access at byte {offset} of {array}"),
                Stopped::ConstantWritten(array) => format!("a write to {array}"),
                _ => return hinges::stop(event),
            };
            format!("{what}{}", at(event.place.as_ref()))
        }
        Instead::Draws { drawn, counter } => format!("{drawn} numbers are drawn from `{counter}`"),
        Instead::DrawsOfSome { drawn, counter, threads, all } => {
            format!("{threads} of {all} threads alone draw {drawn} numbers from `{counter}`")
        }
        Instead::Shared { arrays: [first, second], distance, byte } => {
            let side = if *distance < 0 { "before" } else { "behind" };
            format!(
                "the launch lets `{second}` begin {} bytes {side} `{first}`, and byte {byte} of `{first}` is accessed \
                 through both",
                distance.unsigned_abs()
            )
        }
    }
}

fn unproved(unproved: &Unproved) -> String {
    let cause = cause(unproved.cause);
    let Some((first, others)) = unproved.goals.split_first() else { return cause };
    let threads = match unproved.pair {
        Pair::SameGroup => "of a group",
        Pair::DifferentGroups => "of different groups",
        Pair::Alone => "alone in their group",
        Pair::SameThread => "and their own asynchronous copies",
    };
    let mut lines = vec![format!("{cause}; not proved for threads {threads}: {}", goal(first))];
    let mut others: Vec<String> = others.iter().map(goal).collect();
    if unproved.more > 0 {
        others.push(format!("and {} more", unproved.more));
    }
    if !others.is_empty() {
        lines.push(format!("nor: {}", others.join("; ")));
    }
    if !unproved.accesses.is_empty() {
        lines.push(format!("the accesses: {}", unproved.accesses.join(" and ")));
    }
    lines.extend(missing(&unproved.missing));
    lines.extend(hinges::in_words(&unproved.hinges).map(|hinges| format!("it hinges on: {hinges}")));
    let remedies: Vec<String> = unproved.advice.iter().map(advice).collect();
    if !remedies.is_empty() {
        lines.push(format!("help: {}", remedies.join("; ")));
    }
    lines.join("\n")
}

/// The end of an attempt, in a few words.
fn cause(cause: Cause) -> String {
    match cause {
        Cause::Spent(limit) => spent(limit),
        Cause::InferenceBudget => "the search for loop invariants took too much effort".to_owned(),
        Cause::SolverGaveUp => "the solver gave up".to_owned(),
        Cause::WeakInvariants => "the loop invariants found do not suffice".to_owned(),
    }
}

/// A goal as a noun: `no race on `a` between the write at k.cl:3 and the read at k.cl:4`.
pub fn goal(goal: &Goal) -> String {
    let at = at(goal.place.as_ref());
    let claim = match &goal.claim {
        GoalClaim::NoRace { array, accesses } => {
            let [first, second] = accesses.each_ref().map(access);
            format!("no race on `{array}` between {first} and {second}")
        }
        GoalClaim::NoBarrierDivergence => format!("no divergence at the barrier{at}"),
        GoalClaim::NoGroupDivergence => format!("no divergence at the group operation{at}"),
        GoalClaim::LanesArrive => format!("that the lanes named in the mask arrive{at}"),
        GoalClaim::NamedBarrier(rule) => format!("that {}{at}", rule.statement()),
        GoalClaim::Signal(rule) => format!("that {}{at}", rule.statement()),
        GoalClaim::Thread(claim) => format!("{}{at}", claim_of_thread(*claim)),
        GoalClaim::DigitsInRange { array } => format!("the digits of the index into `{array}`{at} below their radices"),
        GoalClaim::InBounds { array } => format!("no access outside `{array}`{at}"),
        GoalClaim::UserInvariantEntry => format!("the invariant before the loop{at}"),
        GoalClaim::UserInvariantStep => format!("the invariant in the loop{at}"),
        GoalClaim::Invariant(phase) => {
            let when = match phase {
                Phase::Entry => "holds before",
                Phase::Step => "is kept by",
            };
            let of_loop = goal.in_loop.as_ref().map_or("loop".to_owned(), loop_);
            return format!("that the invariant {when} the {of_loop}");
        }
    };
    match &goal.in_loop {
        Some(inside) => format!("{claim} in the {}", loop_(inside)),
        None => claim,
    }
}

/// A claim of a question, with the assertion's number or the invariant's family.
pub fn claim(claim: &QuestionClaim) -> String {
    match claim {
        QuestionClaim::Assertion(obligation, of) => format!("{obligation}: {}", goal(of)),
        QuestionClaim::Invariant { family, condition } => format!("[{family}] {condition}"),
    }
}

fn claim_of_thread(claim: Claim) -> &'static str {
    match claim {
        Claim::Assertion => "the assertion",
        Claim::KnownTarget => "that the function that is called is known",
        Claim::ConstantWrite => "no write to constant memory",
        Claim::NullDereference => "no access through a null pointer",
        Claim::LaneInMask => "that each lane is in its own mask",
        Claim::ActiveSource => "that the lane that is read from takes part",
        Claim::Alignment => "the alignment of the access",
        Claim::Initialised => "that the read follows a write",
        Claim::Overflow => "no overflow of the index",
    }
}

fn access(access: &AccessPlace) -> String {
    let kind = match access.kind {
        AccessKind::Read => "the read",
        AccessKind::Write => "the write",
        AccessKind::Atomic => "the atomic",
        AccessKind::AsyncRead => "the asynchronous read",
        AccessKind::AsyncWrite => "the asynchronous write",
    };
    format!("{kind}{}", at(access.place.as_ref()))
}

/// A loop as a noun: `loop at k.cl:3`.
pub fn loop_(of: &LoopPlace) -> String {
    format!("loop{}", at(of.0.as_ref()))
}

fn missing(missing: &Missing) -> Vec<String> {
    match missing {
        Missing::Unclear => Vec::new(),
        Missing::NotProposed(0) => vec!["no loop invariants were proposed".to_owned()],
        Missing::NotProposed(count) => {
            let which = if *count == 1 { "the one that was proposed and lost" } else { "those proposed and lost" };
            vec![format!("no loop invariant that would show it was proposed: {which} ({count}) would not")]
        }
        Missing::Lost(lost) => {
            let LostInvariant { invariant, of_loop, others, lost, names } = &**lost;
            let of_loop = loop_(of_loop);
            let and_others = if *others == 0 { String::new() } else { format!(", with {others} more,") };
            let mut lines = vec![
                format!("lost invariant of the {of_loop} that{and_others} would show it: `{invariant}`"),
                format!("how it was lost: {}", loss(lost, &of_loop)),
            ];
            let names: Vec<String> = names.iter().map(|(name, is)| format!("`{name}`: {}", meaning(is))).collect();
            if !names.is_empty() {
                lines.push(format!("where {}", names.join("; ")));
            }
            lines
        }
    }
}

fn loss(loss: &Loss, of_loop: &str) -> String {
    match loss {
        Loss::Falsified => format!("it does not hold: an execution falsifies it at the head of the {of_loop}"),
        Loss::Unsettled(question) => {
            let question = match question {
                Some((Phase::Entry, of)) => format!(", with the question what holds before the {}", loop_(of)),
                Some((Phase::Step, of)) => {
                    format!(", with the question what an iteration of the {} keeps", loop_(of))
                }
                None => String::new(),
            };
            format!("the effort for finding invariants ended before it was settled{question}")
        }
        Loss::Dropped { refuted: true, phase: Phase::Entry, .. } => format!("it does not hold before the {of_loop}"),
        Loss::Dropped { refuted: true, phase: Phase::Step, lines } => {
            format!("it is not kept by an iteration of the {of_loop}{}", changes(lines))
        }
        Loss::Dropped { refuted: false, phase: Phase::Entry, .. } => {
            format!("the solver could not show it before the {of_loop}")
        }
        Loss::Dropped { refuted: false, phase: Phase::Step, lines } => {
            format!("the solver could not show that an iteration of the {of_loop} keeps it{}", changes(lines))
        }
    }
}

fn changes(lines: &[u32]) -> String {
    let all: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &all[..] {
        [] => String::new(),
        [one] => format!(", because of line {one}"),
        all => format!(", because of lines {}", all.join(", ")),
    }
}

fn meaning(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Hit(by) => format!("thread 1 has made {}, in the cell that thread 2 accesses", access(by)),
        Meaning::Recorded(original) => format!("the value of {original} then"),
        Meaning::Written => "the value that was written then".to_owned(),
        Meaning::Iterations(of) => format!("the completed iterations of the {}", loop_(of)),
        Meaning::ExitIterations(of) => format!("the iterations of the {} when the thread left it", loop_(of)),
    }
}

fn advice(advice: &Advice) -> String {
    match advice {
        Advice::LongerTimeout => "a longer --timeout".to_owned(),
        Advice::Sizes => "sizes (--local_size, --num_groups)".to_owned(),
        Advice::AssumeFactor(parameter) => {
            format!("a bound of `{parameter}`, as in --assume '{parameter} >= get_global_size(0)'")
        }
        Advice::AssumeLimits(parameters) => {
            let bounds: Vec<String> = parameters.iter().map(|limit| format!("{limit} <= 1000000")).collect();
            format!("a bound for its loops, as in --assume '{}'", bounds.join(" && "))
        }
        Advice::Invariant(of) => format!("an __invariant of the {}", loop_(of)),
    }
}
