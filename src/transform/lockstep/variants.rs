//! The programs of one pair of threads: the plain one, and variants that are easier to prove.

use lockstep_ir::sequential::{Pair, VerifiedProgram};
use lockstep_options::launch::Launch;

use super::facts::Facts;
use super::lowering::{Form, LoweredProgram, lower_as};
use super::{LockstepOptions, NotLowered, has_nothing_to_prove};

/// The form of a [`Variant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariantForm {
    /// The indices of symbolic rows are split into digits ([`super::instrument::digits`]), and
    /// writes that repeat each other share a site.
    ///
    /// If it can be proved at all, it is easier to prove than the others.
    Digits,
    /// Writes that repeat each other share a site ([`super::instrument::races`]).
    SharedSites,
    /// The plain program. Defects are searched in it.
    Plain,
}

/// A program of one pair of threads, in one form.
///
/// A proof of any variant is a proof of the plain one.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The form.
    pub form: VariantForm,
    /// The program.
    pub program: VerifiedProgram,
}

/// The variants of the program of one pair of threads, in the order in which proofs try them.
///
/// The last one is the plain program.
#[derive(Clone, Debug)]
pub struct Variants(Vec<Variant>);

impl Variants {
    /// All variants.
    pub fn all(&self) -> &[Variant] {
        &self.0
    }

    /// The plain program.
    pub fn plain(&self) -> &VerifiedProgram {
        &self.0.last().expect("the plain program is the last variant").program
    }

    /// The plain program alone.
    pub fn into_plain(mut self) -> VerifiedProgram {
        self.0.pop().expect("the plain program is the last variant").program
    }

    /// The program whose proof is tried first.
    pub fn into_first(self) -> VerifiedProgram {
        self.0.into_iter().next().expect("the plain program is the last variant").program
    }

    /// The variants that a proof tries. With shared sites, nothing is gained from a proof of the
    /// plain program.
    pub fn to_prove(&self) -> &[Variant] {
        let (_, before) = self.0.split_last().expect("the plain program is the last variant");
        let replaced = before.iter().any(|variant| variant.form == VariantForm::SharedSites);
        if replaced { before } else { &self.0 }
    }
}

impl From<VerifiedProgram> for Variants {
    fn from(program: VerifiedProgram) -> Self {
        Self(vec![Variant { form: VariantForm::Plain, program }])
    }
}

/// Lowers all variants for one pair of threads; `None` if there is nothing to check for it.
pub fn lower_variants(
    facts: &Facts,
    launch: &Launch,
    pair: Pair,
    options: &LockstepOptions,
) -> Result<Option<Variants>, NotLowered> {
    let plain = lower_as(facts, launch, pair, options, Form::default())?;
    let Some(LoweredProgram { program, digits, could_share_sites: shares_sites }) = plain else { return Ok(None) };
    if has_nothing_to_prove(&program, pair, options) {
        return Ok(None);
    }
    let mut variants = Vec::new();
    let mut add = |form, digits| -> Result<(), NotLowered> {
        match lower_as(facts, launch, pair, options, Form { digits, shares_sites }) {
            Ok(lowered) => variants.extend(lowered.map(|LoweredProgram { program, .. }| Variant { form, program })),
            // The verdict does not depend on a variant.
            Err(NotLowered::OutOfTime | NotLowered::TooLarge) => {}
            Err(other) => return Err(other),
        }
        Ok(())
    };
    // A release of a write is none of one that repeats it later.
    let shares_sites = shares_sites && facts.signals.is_none();
    if digits.is_some() {
        add(VariantForm::Digits, digits.as_ref())?;
    }
    if shares_sites {
        add(VariantForm::SharedSites, None)?;
    }
    variants.push(Variant { form: VariantForm::Plain, program });
    Ok(Some(Variants(variants)))
}
