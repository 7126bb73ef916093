//! What a list leaves out, as the server cannot read it.

use crate::{client::types::Fault, output::warning};

/// The most rows that the warning names.
const MAX_NAMED: usize = 5;

/// Warns of rows that the server left out.
pub fn warn(faults: &[Fault]) {
    if faults.is_empty() {
        return;
    }
    let mut named: Vec<String> = faults.iter().take(MAX_NAMED).map(name).collect();
    if let Some(more) = faults.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        named.push(format!("{more} more"));
    }
    warning::add(format!(
        "what the server cannot read is left out: {}. Whoever runs it can find all faults with aweave-server verify",
        named.join(", ")
    ));
}

fn name(fault: &Fault) -> String {
    match (fault.debate_id, fault.document_id, fault.seq) {
        (Some(debate), _, Some(seq)) => format!("seq {seq} of debate {debate}"),
        (Some(debate), _, None) => format!("debate {debate}"),
        (None, Some(document), _) => format!("document {document}"),
        (None, None, _) => "a row of which nothing can be told".to_owned(),
    }
}
