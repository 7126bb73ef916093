//! The settings in which a host has to be told that a skill may be used which names the tools that it may use. Without that it is
//! denied where nobody can be asked.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    change::{Change, Found, Planned},
    installed_files::{Artifact, skill_name},
    settings_text::{Format, Malformed},
    target::Target,
};
use crate::hosts::Host;

/// The list of what may be used without asking.
const ALLOWED: [&str; 2] = ["permissions", "allow"];

/// What becomes of the settings, if anything: the skills for which `is_wanted` holds are allowed, the others are not.
pub fn planned(host: Host, root: &Path, targets: &[Target], is_wanted: impl Fn(&Target) -> bool) -> Option<Planned> {
    let path = Path::new(host.facts().skill_permissions?);
    let found = match Found::read(root, path) {
        Ok(found) => found,
        Err(reason) if targets.iter().any(&is_wanted) => {
            return Some(Planned { found: Found::unusable(root, path), change: Change::Left(reason) });
        }
        Err(_) => return None,
    };
    let change = change(found.text.as_deref(), targets, is_wanted).unwrap_or_else(Change::Left);
    (change != Change::None).then_some(Planned { found, change })
}

fn change(text: Option<&str>, targets: &[Target], is_wanted: impl Fn(&Target) -> bool) -> Result<Change, String> {
    // Settings that do not speak of skills of ours are none of our business.
    let present = match text.filter(|text| text.contains(&skill_name("")) || targets.iter().any(&is_wanted)) {
        Some(text) => Format::Json.value(text, &ALLOWED).map_err(|Malformed(reason)| reason)?,
        None => None,
    };
    let Value::Array(former) = present.unwrap_or_else(|| json!([])) else {
        return Err(format!("{} is not a list", ALLOWED.join(".")));
    };
    let mut items = former.clone();
    for target in targets {
        let Artifact::Skill(role) = target.artifact else { continue };
        let rule = Value::from(format!("Skill({})", skill_name(role)));
        match (items.contains(&rule), is_wanted(target)) {
            (false, true) => items.push(rule),
            (true, false) => items.retain(|item| *item != rule),
            (true, true) | (false, false) => {}
        }
    }
    let change = match text {
        _ if items == former => return Ok(Change::None),
        Some(text) if items.is_empty() => {
            Format::Json.without_value(text, &ALLOWED).map(|text| text.map_or(Change::Delete, Change::Update))
        }
        Some(_) => Format::Json.with_value(text, &ALLOWED, &items.into()).map(Change::Update),
        None => Format::Json.with_value(None, &ALLOWED, &items.into()).map(Change::Create),
    };
    change.map_err(|Malformed(reason)| reason)
}
