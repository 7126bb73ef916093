/** A mention of an issue, and its range in the text. */
export interface IssueReference {
  start: number;
  end: number;
  id: string;
}

/** `I3`, but not a part of a word, of a path or of a file name. */
const REFERENCE = /(?<![\p{L}\p{N}_/.\\#])I[1-9]\d{0,2}(?![\p{L}\p{N}_/\\]|\.[\p{L}\p{N}])/gu;

export function issueReferencesIn(text: string): IssueReference[] {
  return Array.from(text.matchAll(REFERENCE), ({ 0: id, index }) => ({
    start: index,
    end: index + id.length,
    id,
  }));
}
