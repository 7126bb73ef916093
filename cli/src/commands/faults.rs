//! What a list leaves out, as the server cannot read it.

use crate::{client::types::Fault, output::warning};

/// The most rows that the warning names.
const MAX_NAMED: usize = 5;

/// Warns of rows that the server left out.
pub fn warn(faults: &[Fault]) {
    told(faults).into_iter().for_each(warning::add);
}

/// What is said of them; nothing if there are none.
fn told(faults: &[Fault]) -> Option<String> {
    if faults.is_empty() {
        return None;
    }
    let mut named: Vec<String> = faults.iter().take(MAX_NAMED).map(name).collect();
    if let Some(more) = faults.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        named.push(format!("{more} more"));
    }
    Some(format!(
        "what the server cannot read is left out: {}. Whoever runs it can find all faults with aweave-server verify",
        named.join(", ")
    ))
}

fn name(fault: &Fault) -> String {
    match (fault.debate_id, fault.document_id, fault.seq) {
        (Some(debate), _, Some(seq)) => format!("seq {seq} of debate {debate}"),
        (Some(debate), _, None) => format!("debate {debate}"),
        (None, Some(document), _) => format!("document {document}"),
        (None, None, _) => "a row of which nothing can be told".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_left_out_is_named_and_the_rest_counted() {
        let id = |number| Some(Uuid::from_u128(number));
        let fault = |debate_id, document_id, seq| Fault { debate_id, document_id, seq };
        let faults =
            [fault(id(1), None, Some(7)), fault(id(1), None, None), fault(None, id(2), None), fault(None, None, None)];
        let text = told(&faults).unwrap();
        for name in [
            "seq 7 of debate 00000000",
            ", debate 00000000",
            ", document 00000000",
            ", a row of which nothing can be told",
        ] {
            assert!(text.contains(name), "{text}");
        }
        let many: Vec<_> = (0..7).map(|number| fault(id(number), None, None)).collect();
        assert!(told(&many).unwrap().contains(", 2 more. "));
        assert_eq!(told(&[]), None);
    }
}
