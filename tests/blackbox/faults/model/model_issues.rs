//! The model of the issues of one debate: which changes are legal and what they do.

use serde_json::{Map, Value, json};

use super::{
    expected_response::Refusal,
    issue_rules::{CHANGES, list, number_in},
};

/// The statuses of issues, in the order of the counts.
pub const STATUSES: [&str; 7] = ["open", "fixed", "disputed", "resolved", "withdrawn", "dismissed", "deferred"];

/// The maximum number of issues of a debate.
pub const MAX_ISSUES: usize = 500;

/// How many times an issue is reopened before it counts as stalled.
const STALLED: usize = 2;

/// An issue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Issue {
    severity: String,
    title: Value,
    location: Value,
    /// Its status
    pub status: &'static str,
    note: Value,
    raised_by: &'static str,
    raised_seq: usize,
    changed_seq: usize,
    /// Whether the arbitrator decided that it has to be fixed
    pub upheld: bool,
    /// Whether an APPEAL refers it and no RULING has followed
    pub referred: bool,
    /// The role that deferred it; empty if it is not deferred
    deferred_by: &'static str,
    /// How often it was reopened since it was raised or last ruled on
    pub reopened: usize,
    history: Vec<Value>,
}

impl Issue {
    /// Whether it keeps the proposer from requesting completion.
    pub fn is_blocking(&self) -> bool {
        !self.is_settled() && ["critical", "high"].contains(&self.severity.as_str())
    }

    /// Whether nobody has to do anything about it any more.
    pub fn is_settled(&self) -> bool {
        ["resolved", "withdrawn", "dismissed", "deferred"].contains(&self.status)
    }

    /// Whether it was reopened so often that the arbitrator should decide it.
    pub fn is_stalled(&self) -> bool {
        self.reopened >= STALLED
    }

    /// Whether an argument of this type and role may make this change of the issue.
    pub fn allows(&self, change: &str, kind: &str, role: &str) -> bool {
        may_carry(kind, role, change) && self.standing().allows(change, role)
    }

    /// What decides which changes of it are legal.
    pub fn standing(&self) -> Standing {
        let is_minor = !["critical", "high"].contains(&self.severity.as_str());
        Standing { status: self.status, upheld: self.upheld, deferred_by: self.deferred_by, is_minor }
    }

    pub fn allowed_changes(&self, kind: &str, role: &str) -> Vec<&'static str> {
        CHANGES.into_iter().filter(|change| self.allows(change, kind, role)).collect()
    }

    fn apply(&mut self, change: &Value, source: &Source) {
        self.deferred_by = "";
        match change["change"].as_str().unwrap_or_default() {
            "defer" => {
                self.status = "deferred";
                self.deferred_by = source.role;
            }
            "fix" => self.status = "fixed",
            "dispute" => self.status = "disputed",
            "refer" => self.referred = true,
            "resolve" => self.status = "resolved",
            "withdraw" => self.status = "withdrawn",
            "reopen" => {
                self.status = "open";
                self.reopened += 1;
            }
            "uphold" => {
                self.status = "open";
                self.upheld = true;
            }
            "dismiss" => self.status = "dismissed",
            _ => {}
        }
        if let Some(severity) = change["severity"].as_str() {
            severity.clone_into(&mut self.severity);
        }
        if source.kind == "RULING" {
            self.reopened = 0;
        }
        self.note = change["note"].clone();
        self.changed_seq = source.seq;
        let mut entry = json!({
            "seq": source.seq, "argument_id": source.argument_id, "role": source.role, "change": change["change"],
        });
        for name in ["severity", "note"] {
            if let Some(value) = change.get(name) {
                entry[name] = value.clone();
            }
        }
        if source.same_plan && source.role == "proposer" && change["change"] == "fix" {
            entry["unchanged"] = true.into();
        }
        self.history.push(entry);
    }
}

/// Whether an argument of this type and role may carry changes of this name.
pub fn may_carry(kind: &str, role: &str, change: &str) -> bool {
    let changes: &[&str] = match (kind, role) {
        ("CLAIM", "opponent") => &["raise", "resolve", "withdraw", "reopen", "regrade", "defer"],
        ("CLAIM", "proposer") => &["fix", "dispute"],
        ("APPEAL", _) => &["refer"],
        ("RULING", _) => &["raise", "reopen", "regrade", "uphold", "dismiss", "defer"],
        _ => &[],
    };
    changes.contains(&change)
}

/// What decides which changes of an issue are legal.
#[derive(Clone, Copy)]
pub struct Standing {
    /// Its status
    pub status: &'static str,
    /// Whether the arbitrator decided that it has to be fixed
    pub upheld: bool,
    /// The role that deferred it; empty if it is not deferred
    pub deferred_by: &'static str,
    /// Whether its severity is none that blocks
    pub is_minor: bool,
}

impl Standing {
    /// Whether this role may make the change.
    pub fn allows(self, change: &str, role: &str) -> bool {
        let is_ruled = role == "arbitrator";
        match change {
            "defer" if !is_ruled && (self.upheld || !self.is_minor) => false,
            "dispute" if self.upheld => false,
            "reopen" if is_ruled => self.status == "deferred",
            "reopen" if self.status == "deferred" => self.deferred_by == role,
            _ => status_allows(self.status, change),
        }
    }

    /// What coverage calls it.
    pub fn name(self) -> String {
        match self.status {
            "open" if self.upheld => "open, upheld".to_owned(),
            "deferred" => format!("deferred by the {}", self.deferred_by),
            other => other.to_owned(),
        }
    }
}

fn status_allows(status: &str, change: &str) -> bool {
    let from: &[&str] = match change {
        "fix" => &["open", "disputed"],
        "dispute" => &["open"],
        "reopen" => &["fixed", "disputed", "resolved", "withdrawn"],
        "refer" | "resolve" | "withdraw" | "regrade" | "uphold" | "dismiss" | "defer" => &["open", "fixed", "disputed"],
        _ => &[],
    };
    from.contains(&status)
}

/// The argument that carries changes.
pub struct Source<'a> {
    /// Its type
    pub kind: &'a str,
    /// Its role
    pub role: &'static str,
    /// Its `seq`
    pub seq: usize,
    /// Its id
    pub argument_id: &'a str,
    /// Whether it cites the version of the plan that the proposer cited before
    pub same_plan: bool,
}

/// All issues of a debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// In the order of their numbers
    pub issues: Vec<Issue>,
}

impl Ledger {
    /// The issue with this number.
    pub fn get(&self, number: usize) -> Option<&Issue> {
        self.issues.get(number.checked_sub(1)?)
    }

    /// The refusal of the first change that is not legal, if there is one.
    pub fn refusal(&self, changes: &Value, kind: &str, role: &str) -> Option<Refusal> {
        let mut count = self.issues.len();
        list(changes).iter().enumerate().find_map(|(place, change)| {
            let name = change["change"].as_str().unwrap_or_default();
            let naming = |code| Refusal::naming(code, vec![vec![format!("issue_changes[{place}]")]]);
            let invalid = || naming("INVALID_INPUT");
            let forbidden = |issue: &Value, status: Value, allowed: Vec<&str>| {
                let refusal = naming("ACTION_NOT_ALLOWED").with("issue", issue.clone());
                refusal.with("status", status).with("allowed_changes", allowed)
            };
            if name == "raise" {
                count += 1;
                return match may_carry(kind, role, name) {
                    true => (count > MAX_ISSUES).then(invalid),
                    false => Some(forbidden(&Value::Null, Value::Null, Vec::new())),
                };
            }
            let Some(issue) = number_in(&change["issue"]).and_then(|number| self.get(number)) else {
                return Some(invalid());
            };
            let allowed = issue.allowed_changes(kind, role);
            (!allowed.contains(&name)).then(|| forbidden(&change["issue"], issue.status.into(), allowed))
        })
    }

    /// Applies the changes of an argument. Returns them as they are stored, and the numbers of all issues that changed.
    pub fn apply(&mut self, changes: &Value, source: &Source, keeps_referred: bool) -> (Value, Vec<usize>) {
        let mut changed = Vec::new();
        if source.kind == "RULING" && !keeps_referred {
            for (issue, number) in self.issues.iter_mut().zip(1..) {
                if std::mem::take(&mut issue.referred) {
                    changed.push(number);
                }
            }
        }
        let mut stored = changes.clone();
        for change in stored.as_array_mut().into_iter().flatten() {
            if change["change"] == "raise" {
                self.issues.push(raised(change, source));
                change["issue"] = format!("I{}", self.issues.len()).into();
            }
            let number = number_in(&change["issue"]).expect("the change is legal");
            // A damaged history changes issues that nothing raised.
            if let Some(issue) = self.issues.get_mut(number - 1) {
                issue.apply(change, source);
                changed.push(number);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        (stored, changed)
    }

    /// An issue as the API shows it.
    fn view(&self, number: usize) -> Value {
        let issue = &self.issues[number - 1];
        let mut view = json!({
            "id": format!("I{number}"), "severity": issue.severity, "title": issue.title, "location": issue.location,
            "status": issue.status, "note": issue.note, "raised_by": issue.raised_by, "raised_seq": issue.raised_seq,
            "changed_seq": issue.changed_seq, "upheld": issue.upheld, "referred": issue.referred,
            "reopened": issue.reopened, "stalled": issue.is_stalled(), "settled": issue.is_settled(),
            "blocking": issue.is_blocking(),
        });
        if !issue.deferred_by.is_empty() {
            view["deferred_by"] = issue.deferred_by.into();
        }
        view
    }

    /// The issues with these numbers.
    pub fn views(&self, numbers: &[usize]) -> Value {
        numbers.iter().map(|number| self.view(*number)).collect()
    }

    fn numbers(&self, fits: impl Fn(&Issue) -> bool) -> Vec<usize> {
        self.issues.iter().zip(1..).filter(|(issue, _)| fits(issue)).map(|(_, number)| number).collect()
    }

    /// The issues that are not settled.
    pub fn unsettled(&self) -> Value {
        self.views(&self.numbers(|issue| !issue.is_settled()))
    }

    /// The issues that block a RESOLUTION, in short.
    pub fn blocking(&self) -> Vec<Value> {
        let short = |number: usize| {
            let Value::Object(fields) = self.view(number) else { unreachable!("an issue is an object") };
            let of_them = |name: &String| ["id", "severity", "status", "title"].contains(&name.as_str());
            Value::Object(fields.into_iter().filter(|(name, _)| of_them(name)).collect())
        };
        self.numbers(Issue::is_blocking).into_iter().map(short).collect()
    }

    /// How many issues there are in each status.
    pub fn counts(&self) -> Value {
        let count = |fits: &dyn Fn(&Issue) -> bool| Value::from(self.numbers(fits).len());
        let by_status = STATUSES.map(|status| (status.to_owned(), count(&|issue| issue.status == status)));
        let mut counts: Map<String, Value> = by_status.into_iter().collect();
        counts.insert("unsettled".to_owned(), count(&|issue| !issue.is_settled()));
        counts.insert("blocking".to_owned(), count(&Issue::is_blocking));
        counts.into()
    }

    /// The response to `GET /debates/{id}/issues`.
    pub fn response(&self, status: Option<&str>, history: bool) -> Value {
        let view = |number: usize| {
            let mut fields = self.view(number);
            if history {
                fields["history"] = json!(self.issues[number - 1].history);
            }
            fields
        };
        let numbers = self.numbers(|issue| status.is_none_or(|status| issue.status == status));
        let issues: Vec<Value> = numbers.into_iter().map(view).collect();
        json!({"issues": issues, "counts": self.counts()})
    }
}

/// A new issue, before its `raise` is applied to it.
fn raised(change: &Value, source: &Source) -> Issue {
    Issue {
        severity: String::new(),
        title: change["title"].clone(),
        location: change["location"].clone(),
        status: "open",
        note: Value::Null,
        raised_by: source.role,
        raised_seq: source.seq,
        changed_seq: source.seq,
        upheld: source.role == "arbitrator",
        referred: false,
        deferred_by: "",
        reopened: 0,
        history: Vec::new(),
    }
}
