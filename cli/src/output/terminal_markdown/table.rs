//! Tables: columns beside each other where they fit, else each row as a list of its cells.

use comrak::nodes::{AstNode, NodeValue};

use super::{
    INDENT, Place,
    words::{self, Style, Token, fill},
};

/// Columns between two columns of a table.
const GAP: usize = 2;

/// Narrower than this no column of text is made.
const MIN_COLUMNS: usize = 12;

type Cells = Vec<Vec<Token>>;

impl Place<'_> {
    pub fn table<'b>(self, table: &'b AstNode<'b>) -> Vec<String> {
        let mut head = Cells::new();
        let mut rows = Vec::new();
        for row in table.children() {
            let is_head = matches!(row.data().value, NodeValue::TableRow(true));
            let style = Style { is_bold: is_head, ..Style::default() };
            let cells: Cells = row.children().map(|cell| self.inline(cell, style)).collect();
            if is_head { head = cells } else { rows.push(cells) }
        }
        match self.widths(&head, &rows) {
            Some(widths) => self.columns(&widths, &head, &rows),
            None => self.records(&head, &rows),
        }
    }

    /// The width of each column; none if they do not fit beside each other.
    fn widths(self, head: &Cells, rows: &[Cells]) -> Option<Vec<usize>> {
        let room = self.columns.checked_sub(GAP * head.len().saturating_sub(1))?;
        let of_column = |column: usize| {
            let cells = [head].into_iter().chain(rows).filter_map(|cells| cells.get(column));
            cells
                .map(|cell| words::widths(cell))
                .fold((0, 0), |(all, widest), cell| (all.max(cell.0), widest.max(cell.1)))
        };
        let (mut widths, least): (Vec<usize>, Vec<usize>) = (0..head.len())
            .map(|column| {
                let (all, widest) = of_column(column);
                (all, all.min(widest.max(MIN_COLUMNS)))
            })
            .unzip();
        while widths.iter().sum::<usize>() > room {
            let shrinkable = (0..widths.len()).filter(|column| widths[*column] > least[*column]);
            let widest = shrinkable.max_by_key(|column| widths[*column])?;
            widths[widest] -= 1;
        }
        Some(widths)
    }

    fn columns(self, widths: &[usize], head: &Cells, rows: &[Cells]) -> Vec<String> {
        let rules = widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join(&" ".repeat(GAP));
        let mut lines = self.row(widths, head);
        lines.push(rules);
        rows.iter().for_each(|row| lines.extend(self.row(widths, row)));
        lines
    }

    fn row(self, widths: &[usize], cells: &Cells) -> Vec<String> {
        let fill = |has_colours| -> Vec<Vec<String>> {
            let filled = cells.iter().zip(widths).map(|(cell, width)| fill(cell, *width, has_colours, self.is_quoted));
            filled.collect()
        };
        // How wide a line is, is known of the one without colours only.
        let (plain, painted) = (fill(false), fill(self.layout.has_colours));
        let height = plain.iter().map(Vec::len).max().unwrap_or_default();
        (0..height)
            .map(|line| {
                let cells = painted.iter().zip(&plain).zip(widths).map(|((painted, plain), width)| {
                    let used = plain.get(line).map_or(0, |text| words::width(text));
                    painted.get(line).cloned().unwrap_or_default() + &" ".repeat(width.saturating_sub(used))
                });
                cells.collect::<Vec<_>>().join(&" ".repeat(GAP))
            })
            .collect()
    }

    fn records(self, head: &Cells, rows: &[Cells]) -> Vec<String> {
        let mut lines = Vec::new();
        for row in rows {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            for (name, cell) in head.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                let place = Self { columns: self.columns - if name.is_empty() { 0 } else { INDENT.len() }, ..self };
                let mut tokens = name.clone();
                if let Some(Token::Word(last)) = tokens.last_mut() {
                    last.push(":", Style { is_bold: true, ..Style::default() }, false);
                }
                tokens.extend(cell.iter().cloned());
                let filled = place.hanging(&tokens, self.layout.has_colours);
                lines.extend(filled.iter().map(|line| " ".repeat(self.columns - place.columns) + line));
            }
        }
        lines
    }
}
