//! Characters that a text by others must not bring to a screen. The server and the command line have no other code in common.

/// Whether a character is invisible, or changes how its neighbours look. Without the C0 controls, of which some may stay.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' // DEL and C1, which 8-bit terminals execute
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // bidirectional marks
        | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' // zero width
        | '\u{2028}' | '\u{2029}' // line and paragraph separators
        | '\u{e0000}'..='\u{e007f}') // tags
}
