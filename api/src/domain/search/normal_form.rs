//! The forms in which searches compare texts, which are the same for a text and a query.

use std::iter;

use unicode_normalization::{IsNormalized, UnicodeNormalization, char::canonical_combining_class, is_nfc_quick};

/// The text in NFC and in Unicode's simple case folding.
pub fn folded(text: &str) -> String {
    normalized(text, push_folded)
}

/// What a search compares: the text as [`folded`] gives it, with typographic quotation marks as plain ones and each run of white space
/// as one space.
pub fn searchable(text: &str) -> String {
    normalized(text, push_searchable)
}

/// The place in a text, in characters, that leads to this place in its searchable form, in bytes.
pub(super) fn original_place(text: &str, place: usize) -> usize {
    let (mut form, mut characters) = (String::with_capacity(text.len()), 0);
    for segment in segments(text) {
        // Of a segment that is plain each character stands for itself; of others only the whole does.
        let step = if segment.is_ascii() { 1 } else { segment.len() };
        let mut rest = segment;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(step);
            push_segment(part, push_searchable, &mut form);
            if form.len() > place {
                return characters;
            }
            characters += part.chars().count();
            rest = after;
        }
    }
    characters
}

fn normalized(text: &str, push: impl Fn(char, &mut String) + Copy) -> String {
    let mut form = String::with_capacity(text.len());
    segments(text).for_each(|segment| push_segment(segment, push, &mut form));
    form
}

/// Whether a character combines with nothing before it, so that NFC may begin anew here.
fn begins_segment(character: char) -> bool {
    /// All characters before it stand for themselves.
    const FIRST_MARK: char = '\u{300}';
    character < FIRST_MARK
        || (canonical_combining_class(character) == 0
            && matches!(is_nfc_quick(iter::once(character)), IsNormalized::Yes))
}

/// The parts of a text of which NFC can be worked out one by one: runs of ASCII, and single characters with what may combine with them.
fn segments(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        // What comes after a run may combine with its last character.
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).map_or(rest.len(), |end| end.saturating_sub(1));
        if ascii > 0 {
            let (segment, after) = rest.split_at(ascii);
            rest = after;
            return Some(segment);
        }
        let mut characters = rest.char_indices();
        characters.next()?;
        let end = characters.find(|(_, character)| begins_segment(*character)).map_or(rest.len(), |(at, _)| at);
        let (segment, after) = rest.split_at(end);
        rest = after;
        Some(segment)
    })
}

fn push_segment(segment: &str, push: impl Fn(char, &mut String) + Copy, form: &mut String) {
    if segment.is_ascii() {
        return segment.chars().for_each(|character| push(character, form));
    }
    let mut characters = segment.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) if begins_segment(only) => push(only, form),
        _ => {
            let mut folded = String::with_capacity(segment.len());
            segment.nfc().for_each(|character| push_folded(character, &mut folded));
            // A letter without its case may combine with what follows where the letter with it does not.
            folded.nfc().for_each(|character| push(character, form));
        }
    }
}

fn push_folded(character: char, form: &mut String) {
    if character.is_ascii() {
        return form.push(character.to_ascii_lowercase());
    }
    let folded = unicode_case_mapping::case_folded(character).and_then(|folded| char::from_u32(folded.get()));
    form.push(folded.unwrap_or(character));
}

fn push_searchable(character: char, form: &mut String) {
    match character {
        '\u{2018}'..='\u{201B}' | '\u{2BC}' => form.push('\''),
        '\u{201C}'..='\u{201F}' => form.push('"'),
        space if space.is_whitespace() => {
            if !form.ends_with(' ') {
                form.push(' ');
            }
        }
        other => push_folded(other, form),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::is_nfc;

    use super::*;

    #[test]
    fn letters_match_in_either_case_in_every_language_and_however_they_are_composed() {
        for (text, expected) in [
            ("Ngân SÁCH ĐỒNG Ý", "ngân sách đồng ý"),
            ("Nga\u{302}n SA\u{301}CH", "ngân sách"),
            ("ΣΊΣΥΦΟΣ, σίσυφος", "σίσυφοσ, σίσυφοσ"),
            ("Straße ẞ ſ \u{212A} \u{212B}", "straße ß s k å"),
            ("İstanbul ı", "İstanbul ı"),
            ("Ꭰ ꭰ ᾈ Ǆ ǅ", "Ꭰ Ꭰ ᾀ ǆ ǆ"),
            // Only the small letter exists with this mark as one character.
            ("J\u{30C} \u{1F0}", "\u{1F0} \u{1F0}"),
            ("\u{1112}\u{1161}\u{11AB}글", "한글"),
            ("日本語 50%_\\ 🦀", "日本語 50%_\\ 🦀"),
            ("“a”\u{A0} b", "“a”\u{A0} b"),
        ] {
            assert_eq!(folded(text), expected);
        }
    }

    #[test]
    fn what_is_searched_has_plain_quotation_marks_and_single_spaces() {
        for (text, expected) in [
            ("‘a’ ‚b‛ cʼd", "'a' 'b' c'd"),
            ("“a” „b‟", "\"a\" \"b\""),
            (" A \t\r\n\u{A0}\u{3000}b\n", " a b "),
            ("a \u{301}b", "a \u{301}b"),
        ] {
            assert_eq!(searchable(text), expected);
        }
    }

    #[test]
    fn every_character_has_one_form() {
        for character in '\0'..=char::MAX {
            let form = folded(&character.to_string());
            assert!(is_nfc(&form), "{character:?}");
            assert_eq!(folded(&form), form, "{character:?}");
        }
    }

    /// Characters that combine with each other in all ways that there are, among letters and white space.
    fn text() -> impl Strategy<Value = String> {
        let character = prop::sample::select(vec![
            'a', 'E', 'ố', 'Å', 'J', 'ſ', '\u{300}', '\u{301}', '\u{302}', '\u{30C}', '\u{323}', '\u{345}', '\u{3B1}',
            '\u{1FBC}', '\u{212B}', '\u{1100}', '\u{1161}', '\u{11A8}', '각', '\u{915}', '\u{93C}', '\u{958}', ' ',
            '\n', '\u{2003}', '’', '“', '語', '🦀',
        ]);
        prop::collection::vec(prop_oneof![8 => character, 1 => any::<char>()], 0..24).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn forms_do_not_depend_on_how_a_text_is_composed(text in text()) {
            let (composed, decomposed): (String, String) = (text.nfc().collect(), text.nfd().collect());
            for form in [folded, searchable] {
                prop_assert_eq!(form(&composed), form(&text));
                prop_assert_eq!(form(&decomposed), form(&text));
                prop_assert_eq!(form(&form(&text)), form(&text));
            }
            prop_assert!(is_nfc(&folded(&text)));
        }

        #[test]
        fn a_place_in_the_form_leads_to_the_same_place_in_the_text(text in text(), place in 0..24_usize) {
            let form = searchable(&text);
            let Some((at, _)) = form.char_indices().nth(place) else { return Ok(()) };
            let original = original_place(&text, at);
            let before: String = text.chars().take(original).collect();
            prop_assert!(searchable(&before).len() <= at.max(1));
            prop_assert!(original < text.chars().count());
        }
    }
}
