//! The JSON schema of `lockstep.toml`, for editors. `docs/lockstep.schema.json` is a copy.

use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Kind, Scope, checks};

/// The schema.
pub fn schema() -> Value {
    let files = |described: &str| texts(described, &json!({ "type": "string", "minLength": 1 }));
    let mut settings: Map<String, Value> = KEYS.iter().map(|key| (key.name.to_owned(), of_key(key))).collect();
    let defaults = KEYS.iter().filter(|key| key.scope != Scope::NamedKernels);
    let defaults: Map<String, Value> = defaults.map(|key| (key.name.to_owned(), of_key(key))).collect();
    let whole = KEYS.iter().filter(|key| key.scope == Scope::Files);
    let whole: Map<String, Value> = whole.map(|key| (key.name.to_owned(), json!(false))).collect();
    let named = KEYS.iter().filter(|key| key.scope == Scope::NamedKernels);
    let named: Map<String, Value> = named.map(|key| (key.name.to_owned(), json!(["kernels"]))).collect();
    settings.insert("files".into(), files("Patterns of paths below the folder of this file, or of names of files"));
    settings.insert("kernels".into(), files("Patterns of names of kernels"));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lockstep.toml",
        "description": "Settings of Lockstep; docs/configuration.md describes them.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "$schema": { "type": "string" },
            "defaults": {
                "description": "Settings of every kernel",
                "type": "object",
                "additionalProperties": false,
                "properties": defaults,
            },
            "override": {
                "description": "Settings of some files or kernels; later ones win",
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "anyOf": [{ "required": ["files"] }, { "required": ["kernels"] }],
                    "dependentRequired": named,
                    "if": { "required": ["kernels"] },
                    "then": { "properties": whole },
                    "properties": settings,
                },
            },
        },
    })
}

fn texts(described: &str, one: &Value) -> Value {
    json!({ "description": described, "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
}

fn of_key(key: &Key) -> Value {
    let described = key.summary;
    let extent = json!({ "type": "integer", "minimum": 1 });
    match key.kind {
        Kind::Size => json!({
            "description": described,
            "anyOf": [extent, { "type": "string" }, {
                "type": "array", "minItems": 1, "maxItems": 3, "items": { "anyOf": [extent, { "const": "*" }] },
            }],
        }),
        Kind::Flag => json!({ "description": described, "type": "boolean" }),
        Kind::Integer(least, most) => {
            json!({ "description": described, "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Seconds => json!({ "description": described, "type": "number", "minimum": 0 }),
        Kind::Text => json!({ "description": described, "type": "string" }),
        Kind::Choice(choices) => json!({ "description": described, "enum": choices }),
        Kind::Texts | Kind::Folders | Kind::Conditions => {
            texts(described, &json!({ "type": "string", "minLength": 1 }))
        }
        Kind::Checks => texts(described, &json!({ "enum": checks() })),
        Kind::Values => json!({
            "description": described,
            "type": "object",
            "additionalProperties": { "type": ["integer", "string"] },
        }),
    }
}
