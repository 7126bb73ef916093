/** The line with which the server begins a text that came with a plan. */
const PLAN_LINE = /^Plan: doc_id=(\S+) v(\d+)\n\n(?=\S)/;

/** What was written, and the version of the plan that came with it; null if there is none, or nothing was written. */
export function withoutPlanLine(content: string): {
  plan: { id: string; version: number } | null;
  text: string;
} {
  const [line = '', id = '', version] = PLAN_LINE.exec(content) ?? [];
  return { plan: line === '' ? null : { id, version: Number(version) }, text: content.slice(line.length) };
}
