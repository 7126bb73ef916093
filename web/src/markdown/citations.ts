/** A citation of a document, and its range in the text. */
export interface Citation {
  start: number;
  end: number;
  id: string;
  /** Null if the citation has no version: the newest. */
  version: number | null;
  /** Whether it starts with `doc_id=`. */
  named: boolean;
}

const UUID = String.raw`[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`;
/** The spellings of an id that the server reads after `doc_id=`. */
const ANY_UUID = String.raw`urn:uuid:${UUID}|\{${UUID}\}|[\da-f]{32}|${UUID}`;
/** The version after `doc_id=`: what the server takes for one, also `v2` in `v2.1`. */
const CITED_VERSION = String.raw`v(\d{1,9})(?![\p{L}\p{N}])`;
/** The version after a bare id: `v2`, but not the beginning of `v2.1` or `v2nd`. */
const VERSION = String.raw`v([1-9]\d{0,8})(?![\w-]|\.\d)`;
const AFTER_NAME = String.raw`doc_id=(${ANY_UUID})(?![\w-])(?:\s+${CITED_VERSION}|\s*\(${CITED_VERSION}\))?`;
const BARE = String.raw`(${UUID})(?![\w-])(?:\s+${VERSION}|\s*\(${VERSION}\))?`;
const CITATION = new RegExp(String.raw`(?<![\w-])(?:${AFTER_NAME}|${BARE})`, 'giu');
const VERSION_FIRST = new RegExp(String.raw`^(?:\s+${VERSION}|\s*\(${VERSION}\))`, 'i');

/** Every UUID in a text, which may or may not be that of a document. */
export function idsIn(text: string): Citation[] {
  return Array.from(text.matchAll(CITATION), (match) => {
    const [whole, named, cited, citedInBrackets, bare, plain, inBrackets] = match;
    return {
      start: match.index,
      end: match.index + whole.length,
      id: canonical(named ?? bare ?? ''),
      version: versionOf(cited ?? citedInBrackets ?? plain ?? inBrackets),
      named: named !== undefined,
    };
  });
}

/** The id with hyphens and in lower case. */
function canonical(id: string): string {
  const digits = id.toLowerCase().replaceAll(/urn:uuid:|[{}-]/g, '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The citations in a text: `doc_id=<id>`, `doc_id=<id> v2`, `<id> v2`, also with `(v2)`. A bare id is not one. */
export function citationsIn(text: string): Citation[] {
  return idsIn(text).filter(({ named, version }) => named || version !== null);
}

/** A citation of an argument of any debate, as of a ruling that went before, and its range in the text. */
export interface ArgumentCitation {
  start: number;
  end: number;
  debateId: string;
  seq: number;
}

const ARGUMENT = new RegExp(String.raw`(?<![\w-])debate=(${UUID})\s+#([1-9]\d{0,8})(?![\w-])`, 'giu');

/** The citations of arguments in a text: `debate=<id> #5`. */
function argumentCitationsIn(text: string): ArgumentCitation[] {
  return Array.from(text.matchAll(ARGUMENT), ({ 0: whole, 1: id, 2: seq, index }) => ({
    start: index,
    end: index + whole.length,
    debateId: canonical(id ?? ''),
    seq: Number(seq),
  }));
}

/** All citations in a text, in their order. */
export function allCitationsIn(text: string): (Citation | ArgumentCitation)[] {
  return [...citationsIn(text), ...argumentCitationsIn(text)].sort((a, b) => a.start - b.start);
}

/** The version at the beginning of the text that follows an id. */
export function versionAtStart(text: string): { version: number; length: number } | null {
  const match = VERSION_FIRST.exec(text);
  const version = match && versionOf(match[1] ?? match[2]);
  return match && version !== null ? { version, length: match[0].length } : null;
}

function versionOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
