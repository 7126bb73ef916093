/** A document that a text cites, and where in the text it does. */
export interface Citation {
  start: number;
  end: number;
  id: string;
  /** Null where the text names none: the newest. */
  version: number | null;
  /** Whether `doc_id=` says that it is a document. */
  named: boolean;
}

const UUID = String.raw`[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`;
/** `v2` or `(v2)`, and not the beginning of `v2.1` or `v2nd`. */
const VERSION = String.raw`v([1-9]\d{0,8})(?![\w-]|\.\d)`;
const CITATION = new RegExp(
  String.raw`(?<![\w-])(doc_id=)?(${UUID})(?![\w-])(?:\s+${VERSION}|\s*\(${VERSION}\))?`,
  'gi',
);
const VERSION_FIRST = new RegExp(String.raw`^(?:\s+${VERSION}|\s*\(${VERSION}\))`, 'i');

/** Every id in a text that may be a document's. */
export function idsIn(text: string): Citation[] {
  return Array.from(text.matchAll(CITATION), (match) => {
    const [whole, name, id = '', plain, inBrackets] = match;
    return {
      start: match.index,
      end: match.index + whole.length,
      id: id.toLowerCase(),
      version: versionOf(plain ?? inBrackets),
      named: name !== undefined,
    };
  });
}

/** What a text cites: `doc_id=<id>`, with ` v2` or ` (v2)` or without, or an id with a version. Any other id may be anything. */
export function citationsIn(text: string): Citation[] {
  return idsIn(text).filter(({ named, version }) => named || version !== null);
}

/** The version at the beginning of a text that follows an id. */
export function versionAtStart(text: string): { version: number; length: number } | null {
  const match = VERSION_FIRST.exec(text);
  const version = match && versionOf(match[1] ?? match[2]);
  return match && version !== null ? { version, length: match[0].length } : null;
}

function versionOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
