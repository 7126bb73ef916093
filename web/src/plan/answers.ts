import type { Argument, Issue } from '@/api/types';
import type { ChangedPart } from '@/documents/changes/changedParts';
import type { Trace } from '@/documents/changes/lineOrigins';
import type { LineRange } from '@/documents/changes/lineRange';
import { mentionsIn, overlap } from './lineRanges';

/** A mention of a version of the plan: by an argument, or by what was said about an issue. */
interface Reference {
  version: number;
  /** Null if it names no lines. */
  lines: LineRange | null;
  /** The issue, if one is spoken of, and the argument that says it. */
  issue: string | null;
  seq: number;
  /** Whether it speaks of the lines as they were, as the location of an issue does. */
  before: boolean;
}

/** The arguments and the issues that a part of the changes answers. */
export interface Answers {
  seqs: readonly number[];
  issues: readonly string[];
}

/** What arguments of the proposer, notes and locations say about versions of a document. */
export function referencesTo(
  documentId: string,
  args: readonly Argument[],
  issues: readonly Issue[],
): readonly Reference[] {
  const references: Reference[] = [];
  const said = new Set<number>();
  for (const argument of args) {
    if (argument.role !== 'proposer') continue;
    const cited = (argument.citations ?? []).filter(({ document_id }) => document_id === documentId);
    const version = Math.max(0, ...cited.map((citation) => citation.version));
    // Later arguments may cite it, too: the first brought it.
    if (version === 0 || said.has(version)) continue;
    said.add(version);
    references.push({ version, lines: null, issue: null, seq: argument.seq, before: false });
  }
  for (const { id, location, raised_seq, history = [] } of issues) {
    for (const { seq, role, note } of history) {
      if (role !== 'proposer' || note === undefined) continue;
      for (const { version, lines } of mentionsOf(documentId, note))
        references.push({ version, lines, issue: id, seq, before: false });
    }
    for (const { version, lines } of mentionsOf(documentId, location ?? '')) {
      if (lines !== null) references.push({ version, lines, issue: id, seq: raised_seq, before: true });
    }
  }
  return references;
}

function mentionsOf(documentId: string, text: string) {
  return mentionsIn(text).filter((mention) => mention.documentId === documentId);
}

/** The versions that tell one step of the changes from the next: those that something speaks of. */
export function stepsBetween(references: readonly Reference[], from: number, to: number): number[] {
  const between = references
    .map(({ version }) => version)
    .filter((version) => version > from && version < to);
  return [from, ...[...new Set(between)].sort((a, b) => a - b), to];
}

export function answersOf(
  { left, right }: ChangedPart,
  base: number,
  { origins, removedBy }: Trace,
  references: readonly Reference[],
): Answers {
  // A changed block also has lines that were there before.
  const shown = right === null ? [] : origins.slice(right.from - 1, right.to);
  const brought = shown.filter(({ version }) => version !== base);
  const versions = new Set(brought.map(({ version }) => version));
  if (left !== null) {
    for (const version of removedBy.slice(left.from - 1, left.to))
      if (version !== null) versions.add(version);
  }
  const matching = references.filter(({ version, lines, before }) => {
    if (before) return version === base && left !== null && lines !== null && overlap(lines, left);
    if (!versions.has(version)) return false;
    if (lines === null || brought.length === 0) return true;
    return brought.some((origin) => origin.version === version && contains(lines, origin.line));
  });
  const numberOf = (id: string) => Number(id.slice(1));
  const issues = [...new Set(matching.flatMap(({ issue }) => issue ?? []))];
  const seqs = matching.flatMap(({ seq, before }) => (before ? [] : seq));
  return {
    seqs: [...new Set(seqs)].sort((a, b) => a - b),
    issues: issues.sort((a, b) => numberOf(a) - numberOf(b)),
  };
}

function contains({ from, to }: LineRange, line: number): boolean {
  return from <= line && line <= to;
}
