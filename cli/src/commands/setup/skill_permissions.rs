//! The settings in which a host has to be told that a skill may be used which names the tools that it may use. Without that it is
//! denied where nobody can be asked.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    change::{Change, Planned},
    installed_files::{Artifact, skill_name},
    settings_file::SettingsFile,
    target::Target,
};
use crate::hosts::Host;

/// The list of what may be used without asking.
const ALLOWED: [&str; 2] = ["permissions", "allow"];

/// What becomes of the settings, if anything: the skills for which `is_wanted` holds are allowed, the others are not.
pub fn planned(host: Host, root: &Path, targets: &[Target], is_wanted: impl Fn(&Target) -> bool) -> Option<Planned> {
    let path = Path::new(host.facts().skill_permissions?);
    let file = SettingsFile::open(root, path);
    // Settings that do not speak of skills of ours are none of our business.
    if !targets.iter().any(&is_wanted) && !file.mentions(&skill_name("")) {
        return None;
    }
    let change = change(&file, targets, is_wanted).unwrap_or_else(Change::Left);
    (change != Change::None).then_some(Planned { found: file.found, change })
}

fn change(file: &SettingsFile, targets: &[Target], is_wanted: impl Fn(&Target) -> bool) -> Result<Change, String> {
    let Value::Array(former) = file.value(&ALLOWED)?.unwrap_or_else(|| json!([])) else {
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
    if items == former {
        return Ok(Change::None);
    }
    file.change(&ALLOWED, Some(items).filter(|items| !items.is_empty()).map(Value::from).as_ref())
}
