//! Assumptions as text: `few_draws counter: "c", each_interval: false, most: "16" at "k.cl" 3`.

use serde_json::Value;

use super::quoted;
use crate::assumption::Assumption;

/// The assumption in the text format.
pub(in crate::sequential) fn assumption_text(assumption: &Assumption) -> String {
    let mut text = match serde_json::to_value(&assumption.what) {
        Ok(Value::Object(variant)) => variant.iter().map(|(name, fields)| with_fields(name, fields)).collect(),
        Ok(name) => name.as_str().unwrap_or_default().to_owned(),
        Err(error) => unreachable!("assumptions are plain data: {error}"),
    };
    let places = assumption.places.iter().map(|place| format!("{} {}", quoted(&place.file), place.line));
    let places: Vec<String> = places.collect();
    if !places.is_empty() {
        text.push_str(" at ");
        text.push_str(&places.join(", "));
    }
    text
}

fn with_fields(name: &str, fields: &Value) -> String {
    let fields = fields.as_object().into_iter().flatten();
    let fields: Vec<String> = fields.map(|(field, value)| format!("{field}: {}", value_text(value))).collect();
    format!("{name} {}", fields.join(", "))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("[{}]", values.iter().map(value_text).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
