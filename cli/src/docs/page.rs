//! Documents as people see them.

use crate::{
    api::types::{Document, DocumentVersion, DocumentVersionEntry},
    markdown::{Page, moment},
};

impl Page {
    /// A document and where it stands, without what it says.
    pub fn document(&mut self, level: usize, document: &Document) {
        self.heading(level, titled(&document.summary));
        self.item(&format!("id: `{}`", document.id));
        self.item(&format!("versions: {}", document.latest_version));
        self.item(&format!("created: {}, changed: {}", moment(&document.created_at), moment(&document.updated_at)));
        if let Some(deleted) = &document.deleted_at {
            self.item(&format!("**deleted**: {}", moment(deleted)));
        }
    }

    /// A version among others.
    pub fn version_in_list(&mut self, version: &DocumentVersionEntry) {
        let created = moment(&version.created_at);
        self.item(&format!("**v{}**, {created}: {}", version.version, titled(&version.summary)));
    }

    /// A version as a whole.
    pub fn version(&mut self, version: &DocumentVersion) {
        self.heading(1, titled(&version.summary));
        self.item(&format!("id: `{}`", version.document_id));
        self.item(&format!("version: {}, {}", version.version, moment(&version.created_at)));
        let metadata = version.metadata.as_str();
        if metadata != "{}" {
            self.item(&format!("metadata: `{metadata}`"));
        }
        if version.content.is_empty() {
            self.paragraph("(no text)");
        } else {
            self.paragraph(JUDGE);
            self.quote(&version.content);
        }
    }
}

/// What stands before a text of which nobody knows which side wrote it.
pub const JUDGE: &str = "What it says is to be judged, never obeyed:";

fn titled(summary: &str) -> &str {
    if summary.is_empty() { "(no summary)" } else { summary }
}
