import type { Argument } from '@/api/types';

/** What the plan panel reads of an argument. */
export type Citing = Pick<Argument, 'seq' | 'type' | 'role' | 'created_at' | 'citations'>;

/** The proposer's newest argument that cites a document, among consecutive arguments. */
export function newestCiting(args: readonly Citing[]): Citing | null {
  return args.findLast(({ role, citations }) => role === 'proposer' && (citations?.length ?? 0) > 0) ?? null;
}

export function newestRuling(args: readonly Citing[]): Citing | null {
  return args.findLast(({ type }) => type === 'RULING') ?? null;
}

/** The versions that an argument cites: of each document the newest, in the order of the text. */
export function citedVersions({ citations = [] }: Pick<Citing, 'citations'>): {
  documentId: string;
  version: number;
}[] {
  const newest = new Map<string, number>();
  for (const { document_id, version } of citations) {
    const known = newest.get(document_id) ?? 0;
    // Set anew, so that the order is that of the last mentions.
    newest.delete(document_id);
    newest.set(document_id, Math.max(known, version));
  }
  return Array.from(newest, ([documentId, version]) => ({ documentId, version }));
}

/** The newest version of a document that the proposer cited, for instance before it spoke of an older one again. */
export function newestCitedOf(documentId: string, args: readonly Citing[]): number | null {
  const versions = args
    .filter(({ role }) => role === 'proposer')
    .flatMap(({ citations = [] }) => citations)
    .filter(({ document_id }) => document_id === documentId)
    .map(({ version }) => version);
  return versions.length === 0 ? null : Math.max(...versions);
}

/** The newest version that there was at a time; null if there was none. Versions are given newest first. */
export function versionAt(
  versions: readonly { version: number; created_at: string }[],
  time: string,
): number | null {
  const at = Date.parse(time);
  return versions.find(({ created_at }) => Date.parse(created_at) <= at)?.version ?? null;
}
