//! A program that lowering could have made, and one that does nothing.

use cranelift_entity::PrimaryMap;

use crate::assumption::Assumed;
use crate::bits::Bits;
use crate::kernel::ElementLayout;
#[allow(clippy::wildcard_imports, reason = "tests, if only of other crates")]
use crate::sequential::*;
use crate::source::LocationData;

/// The lowered program of this kernel, for two threads of a group. Its read races with nothing:
///
/// ```c
/// for (int i = 0; i < n; i++)
///   a[4 * lid + i - 3] = f(a[0]);
/// ```
///
/// The precondition bounds `n`, so that `i < 4`. With `4 * lid`, no two threads access the same
/// cell.
pub fn sample() -> Program {
    let mut e = Expressions::new();
    let word = Sort::Bits(32);
    let both = |e: &mut Expressions, name: &str, sort, role| {
        [0, 1].map(|thread| e.add_variable(&format!("{name}${}", thread + 1), sort, Some(thread), role))
    };
    let (loop0, site0) = (Loop::from_u32(0), Site::from_u32(0));
    let lid = both(&mut e, "lid", word, Role::Input);
    let n = e.add_variable("n", word, None, Role::Input);
    let watched = e.add_variable("watched.a", Sort::Bits(64), None, Role::Watched);
    let i = e.add_variable("i", word, None, Role::Value);
    let counter = e.add_variable("k", Sort::Bits(64), None, Role::Counter(loop0));
    let active = e.add_variable("active", Sort::Boolean, None, Role::Predicate);
    let choice = e.add_variable("choice", Sort::Boolean, None, Role::Choice);
    let hit = e.add_variable("hit$1", Sort::Boolean, Some(0), Role::Hit(site0));
    let recorded = e.add_variable("k.hit$1", Sort::Bits(64), Some(0), Role::Recorded(site0));
    let contents = e.add_variable("a", Sort::Map { index: 64, element: 32 }, None, Role::Contents);
    let loaded = e.add_variable("loaded", word, None, Role::Value);
    let f = e.add_function("f", vec![word], word);

    let mut files = PrimaryMap::new();
    let file = files.push("scale.cl".to_owned());
    let mut locations = PrimaryMap::new();
    let mut at = |line, column| {
        let function = "scale".to_owned();
        locations.push(LocationData { file, line, column, inlined_at: None, function })
    };
    let (at_loop, at_store) = (at(3, 3), at(4, 5));

    let [lid1, lid2] = lid.map(|lid| e.variable(lid));
    let [n_value, i_value, counter_value] = [n, i, counter].map(|variable| e.variable(variable));
    let [active_value, choice_value, hit_value] = [active, choice, hit].map(|variable| e.variable(variable));
    let (watched_value, recorded_value) = (e.variable(watched), e.variable(recorded));
    let (zero, one, size, four) = (e.number(32, 0), e.number(32, 1), e.number(32, 64), e.number(32, 4));

    let mut preconditions = Vec::new();
    for lid in [lid1, lid2] {
        let condition = e.compare(CompareOp::UnsignedLess, lid, size);
        preconditions.push(Precondition { condition, ground: Ground::Model("thread ids lie in the group".into()) });
    }
    let same = e.equal(lid1, lid2);
    let distinct = e.not(same);
    preconditions.push(Precondition { condition: distinct, ground: Ground::Model("the threads are distinct".into()) });
    let short = e.compare(CompareOp::SignedLessEqual, n_value, four);
    preconditions.push(Precondition { condition: short, ground: Ground::Model("requires n <= 4".into()) });

    let offset = |e: &mut Expressions, lid: Expression, i: Expression| {
        let constant = Bits::from_signed(32, -3);
        let terms = vec![(Bits::new(32, 4u32), lid), (Bits::one(32), i)];
        let sum = e.sum(constant, terms);
        e.sign_extend(64, sum)
    };
    let offset1 = offset(&mut e, lid1, i_value);
    let offset2 = offset(&mut e, lid2, i_value);
    let in_bounds = e.compare(CompareOp::SignedLess, i_value, n_value);

    let touches1 = e.equal(offset1, watched_value);
    let now = e.and([active_value, choice_value, touches1]);
    let new_hit = e.or([hit_value, now]);
    let new_recorded = e.if_then_else(now, counter_value, recorded_value);
    let touches2 = e.equal(offset2, watched_value);
    let meets = e.and([active_value, hit_value, touches2]);
    let no_race = e.not(meets);
    let next = e.add(i_value, one);
    let next_active = e.compare(CompareOp::SignedLess, next, n_value);
    let contents_value = e.variable(contents);
    let index = e.number(64, 0);
    let cell = e.select(contents_value, index);
    let image = e.apply(f, vec![cell]);
    let initially_active = e.compare(CompareOp::SignedLess, zero, n_value);
    let recorded_low = e.extract(31, 0, recorded_value);
    let recorded_offset = offset(&mut e, lid1, recorded_low);
    let fact = e.equal(recorded_offset, watched_value);
    let fact_holds = e.implies(hit_value, fact);
    let fact2 = e.compare(CompareOp::UnsignedLess, recorded_low, four);
    let fact2_holds = e.implies(hit_value, fact2);
    let counter_low = e.extract(31, 0, counter_value);
    let closed_form = e.equal(i_value, counter_low);
    let small = e.compare(CompareOp::UnsignedLessEqual, i_value, four);
    let within = e.implies(active_value, in_bounds);
    let no = e.boolean(false);

    let mut loops = PrimaryMap::new();
    let at_loop = Some(at_loop);
    let at_store = Some(at_store);
    let obligation = Obligation::from_u32(0);
    let user = |condition| Invariant { condition, family: "user".into() };
    let looop = loops.push(LoopData {
        counter,
        guard: active_value,
        active: Copies::Uniform(active),
        body: vec![
            Statement::Assign { variable: loaded, value: image, location: at_store },
            Statement::Havoc { variable: choice, unknown: Unknown::Choice, location: at_store },
            Statement::Assert { condition: no_race, obligation, location: at_store },
            Statement::Assign { variable: recorded, value: new_recorded, location: at_store },
            Statement::Assign { variable: hit, value: new_hit, location: at_store },
            Statement::Assign { variable: i, value: next, location: at_loop },
            Statement::Assign { variable: active, value: in_bounds, location: at_loop },
        ],
        parent: None,
        invariants: [closed_form, small, within, fact_holds, fact2_holds].map(user).into(),
        carried: vec![Carried {
            name: Some("i".into()),
            variable: Copies::Uniform(i),
            initial: Copies::Uniform(zero),
            next: Copies::Uniform(next),
        }],
        has_barrier: false,
        location: at_loop,
    });
    let _ = next_active;
    let mut arrays = PrimaryMap::new();
    let element = Some(ElementLayout { name: "float".into(), bytes: 4, dimensions: Vec::new() });
    let array = arrays.push(ArrayData {
        name: "a".into(),
        group_shared: false,
        cell_bytes: 4,
        watched,
        digits: Vec::new(),
        element,
        image: None,
    });
    let mut sites = PrimaryMap::new();
    let site = sites.push(SiteData {
        array,
        kind: AccessKind::Write,
        volatile: false,
        location: at_store,
        loops: vec![looop],
        hit,
        written: None,
        recorded: vec![Recorded { original: counter, recorded }],
        facts: vec![fact, fact2],
        offset: Copies::Each([offset1, offset2]),
        active: Copies::Uniform(active_value),
    });
    let mut obligations = PrimaryMap::new();
    obligations.push(ObligationData { kind: ObligationKind::Race { logged: site, checked: site }, location: at_store });
    Program {
        name: "scale".into(),
        pair: Pair::SameGroup,
        files,
        locations,
        expressions: e,
        preconditions,
        exact: Vec::new(),
        body: vec![
            Statement::Assign { variable: hit, value: no, location: None },
            Statement::Havoc { variable: contents, unknown: Unknown::Contents("a".into()), location: None },
            Statement::Assign { variable: i, value: zero, location: at_loop },
            Statement::Assign { variable: active, value: initially_active, location: at_loop },
            Statement::Loop(looop),
        ],
        loops,
        arrays,
        sites,
        obligations,
        suggested: Vec::new(),
        observables: Observables {
            local_ids: vec![Copies::Each([lid1, lid2])],
            group_ids: vec![Copies::Uniform(zero)],
            local_sizes: vec![size],
            num_groups: vec![one],
            group_starts: vec![Copies::Uniform(zero)],
            global_sizes: vec![size],
            parameters: vec![("n".into(), n_value)],
            host: Vec::new(),
        },
        assumptions: [Assumed::PointersApart.everywhere()].into_iter().collect(),
    }
}

/// A program that does nothing, over these expressions.
pub fn trivial(expressions: Expressions) -> Program {
    Program { expressions, ..Program::empty("trivial", Pair::SameGroup) }
}
