//! The written parts of SARIF 2.1.0, under the standard's names.
//!
//! Empty properties are left out, as the standard allows for most of them.

use std::collections::BTreeMap;

use serde::Serialize;

/// The version of the format.
pub const VERSION: &str = "2.1.0";
/// The address of its schema.
pub const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A file.
#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    pub invocations: [Invocation; 1],
    pub original_uri_base_ids: BTreeMap<&'static str, BaseId>,
    /// The unit of columns.
    pub column_kind: &'static str,
    pub results: Vec<Outcome>,
    pub properties: RunProperties,
}

#[derive(Serialize)]
pub struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_uri: Option<&'static str>,
    pub rules: Vec<Rule>,
}

/// A `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    pub id: &'static str,
    pub name: String,
    pub short_description: Text,
    pub full_description: Text,
    pub help: Help,
    pub default_configuration: Configuration,
    pub properties: RuleProperties,
}

#[derive(Serialize)]
pub struct Text {
    pub text: String,
}

#[derive(Serialize)]
pub struct Help {
    pub text: String,
    pub markdown: String,
}

#[derive(Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

/// The properties by which GitHub's code scanning sorts and filters.
#[derive(Serialize)]
pub struct RuleProperties {
    pub tags: Vec<&'static str>,
    pub precision: &'static str,
    #[serde(rename = "problem.severity")]
    pub severity: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    pub level: &'static str,
    pub message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub associated_rule: Option<RuleReference>,
}

#[derive(Serialize)]
pub struct RuleReference {
    pub id: &'static str,
    pub index: usize,
}

/// The meaning of a `uriBaseId`. Its URI is left out because it differs from machine to machine.
#[derive(Serialize)]
pub struct BaseId {
    pub description: Text,
}

/// A `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Text,
    pub locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<FixShown>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<&'static str>,
    /// Present for all results of a run or for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<Vec<Suppression>>,
    pub properties: Properties,
}

/// A change of the source that mends a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FixShown {
    pub description: Text,
    pub artifact_changes: Vec<ArtifactChange>,
}

/// The changes of one file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactChange {
    pub artifact_location: ArtifactLocation,
    pub replacements: Vec<Replacement>,
}

/// Text in place of that of a region, which is empty here.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replacement {
    pub deleted_region: Region,
    pub inserted_content: Text,
}

/// A comment of the source that allows a result.
#[derive(Serialize)]
pub struct Suppression {
    pub kind: &'static str,
    pub justification: String,
    pub location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "the standard names them")]
pub struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

/// A part of a line; `end_column` is the one behind it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation {
    pub fully_qualified_name: String,
    pub kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    pub thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
pub struct ThreadFlow {
    pub id: String,
    pub locations: Vec<Step>,
}

/// A `threadFlowLocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub location: Location,
    pub nesting_level: usize,
    pub importance: &'static str,
}

/// Properties of a result that the standard has no place for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Properties {
    pub kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subkind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

/// Properties of the run that the standard has no place for.
#[derive(Serialize)]
pub struct RunProperties {
    pub kernels: Vec<Kernel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Compared>,
}

/// A kernel's verdict and its basis. A verified kernel has no result that could carry them.
#[derive(Serialize)]
pub struct Kernel {
    pub name: String,
    pub uri: String,
    pub line: u32,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// The numbers of baseline results that were found again, and of those that were not.
#[derive(Serialize)]
pub struct Compared {
    pub unchanged: usize,
    pub gone: usize,
}
