//! The settings in which a host has to be told that a skill may be used which names the tools that it may use. Without that it is
//! denied where nobody can be asked.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    Scope,
    change::{Change, Planned},
    installed_files::{Artifact, skill_name},
    settings_file::SettingsFile,
    target::Target,
};
use crate::{hosts::Host, output::Failure};

/// The list of what may be used without asking.
const ALLOWED: [&str; 2] = ["permissions", "allow"];

/// What becomes of the settings, if anything: the skills for which `is_wanted` holds are allowed, the others are not.
///
/// # Errors
/// Where the user's home is unknown.
pub fn planned(
    host: Host,
    scope: Scope,
    targets: &[Target],
    is_wanted: impl Fn(&Target) -> bool,
) -> Result<Option<Planned>, Failure> {
    let Some(path) = host.facts().skill_permissions else { return Ok(None) };
    let file = SettingsFile::open(host, scope, Path::new(path))?;
    // Settings that do not speak of skills of ours are none of our business.
    if !targets.iter().any(&is_wanted) && !file.mentions(&skill_name("")) {
        return Ok(None);
    }
    let change = change(&file, targets, is_wanted).unwrap_or_else(Change::Left);
    Ok((change != Change::None).then_some(Planned { found: file.found, change }))
}

fn change(file: &SettingsFile, targets: &[Target], is_wanted: impl Fn(&Target) -> bool) -> Result<Change, String> {
    let Value::Array(former) = file.value(&ALLOWED)?.unwrap_or_else(|| json!([])) else {
        return Err(format!("{} is not a list", ALLOWED.join(".")));
    };
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for target in targets {
        let Artifact::Skill(role) = target.artifact else { continue };
        let rule = format!("Skill({})", skill_name(role));
        match (former.iter().any(|item| *item == rule), is_wanted(target)) {
            (false, true) => added.push(rule),
            (true, false) => removed.push(rule),
            (true, true) | (false, false) => {}
        }
    }
    file.change_list(&ALLOWED, &added, &removed)
}
