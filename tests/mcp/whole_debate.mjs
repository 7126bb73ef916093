// Plays a whole debate with clients of the official SDK: documents, issues, an appeal, an intervention with a late
// delivery, completion. Prints a report as JSON.
//
//   node whole_debate.mjs AW SERVER_URL FOLDER

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [aw, url, folder] = process.argv.slice(2);
// `aw mcp` reads no files of a home folder.
const project = join(folder, "project");
mkdirSync(project, { recursive: true });
const env = { PATH: process.env.PATH, HOME: folder, DEBATE_SERVER_URL: url };

let bytes = 0;

async function start(...args) {
  const transport = new StdioClientTransport({ command: aw, args: ["mcp", ...args], cwd: project, env });
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(transport);
  // From now on the SDK checks every answer against the schema of its tool.
  const list = await client.listTools();
  const call = async (tool, args = {}, options = undefined) => {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, options);
    // A tool that prints one long text has it as text only.
    result.structuredContent ??= JSON.parse(result.content[0].text);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, tool);
    // What a model writes and reads; hosts show it the text or the fields, not both.
    bytes += Buffer.byteLength(JSON.stringify({ tool, args })) + Buffer.byteLength(result.content[0].text);
    return result;
  };
  return {
    client,
    list,
    async data(tool, args, options) {
      const result = await call(tool, args, options);
      assert.ok(!result.isError, `${tool}: ${result.content[0].text}`);
      assert.ok(result.structuredContent.next.tool, `${tool}: ${result.content[0].text}`);
      return result.structuredContent;
    },
    async error(tool, args) {
      const result = await call(tool, args);
      assert.ok(result.isError, `${tool}: ${result.content[0].text}`);
      assert.ok(result.structuredContent.error.next.tool, `${tool}: ${result.content[0].text}`);
      return result.structuredContent.error;
    },
  };
}

// Makes the call that an answer leads to, with a text in place of the placeholder.
function next(side, answer, text, more = {}) {
  const args = { ...answer.next.arguments, ...more };
  if (args.content === "<content>") args.content = text;
  return side.data(answer.next.tool, args);
}

const proposer = await start("--role", "proposer");
const listBytes = JSON.stringify(proposer.list).length;
assert.equal((await proposer.client.listPrompts()).prompts.length, 3);
const prompt = await proposer.client.getPrompt({ name: "propose" });
assert.match(prompt.messages[0].content.text, /debate_create/);

// A plan as a document, from a file, and the motion that cites it.
writeFileSync(join(project, "plan.md"), "# Plan\n\nCache the price list.\n");
const plan = await proposer.data("docs_create", { summary: "Plan", path: "plan.md" });
const cited = (version) => `doc_id=${plan.document_id} v${version}`;
const motion = { title: "Cache the price list", debate_type: "coding_plan_debate", content: `See ${cited(1)}.` };
const opened = await proposer.data("debate_create", motion);
const id = opened.debate.id;
assert.equal(opened.debate.state, "AWAITING_OPPONENT");

const opponent = await start("--role", "opponent", "--debate-id", id);
const arbitrator = await start("--role", "arbitrator", "--debate-id", id);
assert.equal(arbitrator.list.tools.length, proposer.list.tools.length + 2);

// A round: the opponent raises issues while the proposer waits.
const bytesBefore = bytes;
const waiting = next(proposer, opened);
let seen = await opponent.data("debate_wait");
assert.equal(seen.action, "respond");
const text = await opponent.data("docs_get", { document_id: plan.document_id, version: 1 });
assert.match(text.content, /price list/);
const claim = await next(opponent, seen, "Two points.", {
  raise: ["high: Lost on restart @ plan 1", "low: No number for the size"],
});
assert.deepEqual(claim.changed_issues.map((issue) => issue.id), ["I1", "I2"]);
seen = await waiting;
assert.equal(seen.argument.content, "Two points.");
assert.equal(seen.issues.length, 2);
assert.equal((await proposer.error("debate_request_completion", {
  debate_id: id, target_id: seen.argument.id, content: "All is agreed.",
})).code, "ISSUES_OPEN");
await proposer.data("docs_submit", { document_id: plan.document_id, summary: "On disk", content: "# Plan\n\nOn disk.\n" });
let answer = await next(proposer, seen, `Both are in ${cited(2)}.`);
assert.deepEqual(answer.changed_issues.map((issue) => issue.status), ["fixed", "fixed"]);
const roundBytes = bytes - bytesBefore;

// What is wrong is told and changes nothing.
assert.equal((await proposer.error("debate_submit", {
  debate_id: id, role: "proposer", target_id: claim.argument.id, content: "Again.",
})).code, "ACTION_NOT_ALLOWED");
assert.equal((await proposer.error("debate_submit", { role: "opponent" })).code, "INVALID_INPUT");
await assert.rejects(proposer.client.callTool({ name: "debate_ruling", arguments: {} }), /-32602/);

// The opponent looks at the change and reopens an issue; the proposer appeals; the arbitrator rules.
seen = await next(opponent, claim);
const diff = await opponent.data("docs_diff", { document_id: plan.document_id });
assert.match(diff.diff, /\+On disk\./);
claim.second = await next(opponent, seen, "The size is still missing.", { resolve: ["I1"], reopen: ["I2: no number"] });
seen = await next(proposer, answer);
const appeal = await proposer.data("debate_appeal", {
  debate_id: id, target_id: seen.argument.id, content: "Is a number needed?",
  option: ["Yes: 10 MB", "No: later"], refer: ["I2"],
});
assert.equal(appeal.debate_state, "AWAITING_ARBITRATOR");
const due = await arbitrator.data("debate_wait");
assert.equal(due.action, "rule");
assert.deepEqual(due.argument.options.map((option) => option.label), ["Yes", "No", "Something else"]);
const before = await next(arbitrator, due);
assert.equal(before.motion.content, motion.content);
await next(arbitrator, before, "Name it.", { choose: 0, uphold: ["I2: 10 MB"] });

// The arbitrator steps in while the proposer writes, who delivers late.
seen = await next(proposer, appeal);
assert.equal(seen.action, "align_to_ruling");
await arbitrator.data("debate_intervention", { content: "Wait." });
const late = await next(proposer, seen, "10 MB.", { fix: ["I2: 10 MB"] });
assert.equal(late.debate_state, "INTERVENTION_PENDING");
const ruled = await arbitrator.data("debate_ruling", { content: "Go on." });
assert.equal(ruled.debate_state, "AWAITING_PROPOSER");

// A wait is cancelled, and told about while it goes on.
const abort = new AbortController();
const cancelled = opponent.data("debate_wait", { argument_id: claim.second.argument_id }, { signal: abort.signal });
setTimeout(() => abort.abort("enough"), 100);
// The ruling is news, so the answer may be faster than the cancellation.
await cancelled.catch((error) => assert.match(String(error), /enough/));

// All is settled; completion; the end.
seen = await next(proposer, late);
answer = await proposer.data("debate_submit", {
  debate_id: id, role: "proposer", target_id: seen.next_argument_id_to_wait, content: "As ruled.",
});
seen = await opponent.data("debate_wait", { argument_id: claim.second.argument_id });
const settled = await opponent.data("debate_submit", {
  target_id: seen.next_argument_id_to_wait, content: "Nothing is open, the final reading is done.", resolve: ["I2"],
});
seen = await next(proposer, answer);
assert.equal(seen.next.tool, "debate_request_completion");
const asked = await next(proposer, seen, `Agreed: ${cited(2)}.`);
const request = await arbitrator.data("debate_wait", { argument_id: ruled.argument_id });
await next(arbitrator, request, "Closed.", { close: true });
for (const [side, waits] of [[proposer, asked], [opponent, settled]]) {
  assert.equal((await next(side, waits)).action, "debate_closed");
}

// Everything can be read again.
const context = await opponent.data("debate_get_context", {});
const ledger = await opponent.data("debate_issues", { all: true });
assert.deepEqual(ledger.issues.map((issue) => issue.status), ["resolved", "resolved"]);
const shown = await opponent.data("debate_show", { argument_id: "#1" });
assert.equal(shown.argument.type, "MOTION");
assert.equal((await opponent.data("debate_list", { query: id })).debates.length, 1);
assert.equal((await opponent.data("debate_plan", {})).version, 2);
const { record } = await opponent.data("debate_record");
assert.deepEqual([record.outcome, record.plan.version], ["agreed", 2]);

for (const side of [proposer, opponent, arbitrator]) await side.client.close();
const report = { state: context.debate.state, arguments: context.debate.last_seq, list_bytes: listBytes };
console.log(JSON.stringify({ ...report, round_bytes: roundBytes, bytes }));
