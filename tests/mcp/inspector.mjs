// Plays a whole debate with `@modelcontextprotocol/inspector --cli`, which starts `aw mcp` anew for every call: documents,
// issues, an appeal, an intervention with a late delivery, completion.
//
//   node inspector.mjs AW SERVER [INSPECTOR]
//
// INSPECTOR is the program; without it the version below is installed into a temporary folder, for which the network is needed.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PACKAGE = "@modelcontextprotocol/inspector@2.12.0";

const [aw, serverProgram] = process.argv.slice(2, 4).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "aw-inspector-"));
const home = { PATH: process.env.PATH, HOME: folder };

function installed() {
  if (process.argv[4]) return resolve(process.argv[4]);
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]);
  return join(folder, "node_modules/.bin/mcp-inspector");
}

async function startServer() {
  const env = { ...home, DEBATE_DB_PATH: join(folder, "debate.db") };
  const server = spawn(serverProgram, ["--port", "0"], { env, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(server.stdout, "data");
  return { server, url: /listening on (\S+)/.exec(line)[1] };
}

const inspector = installed();
const { server, url } = await startServer();

// Everything of the old protocol, and what the inspector lists in the newest one.
function inspect(role, method, options, era = "legacy") {
  const target = [aw, "mcp", "--allow-path", ".", "--role", role, "--method", method, "--format", "json", "--protocol-era", era];
  const args = ["--cli", "-q", "--cwd", folder, "-e", `DEBATE_SERVER_URL=${url}`, "-e", `HOME=${folder}`, ...target, ...options];
  const answer = (text) => {
    const parsed = JSON.parse(text);
    return parsed.result ?? parsed;
  };
  try {
    return answer(execFileSync(inspector, args, { encoding: "utf8", env: home, cwd: folder, stdio: "pipe" }));
  } catch (error) {
    if (!error.stdout) throw error;
    return answer(error.stdout);
  }
}

function call(role, tool, args) {
  const result = inspect(role, "tools/call", ["--tool-name", tool, "--tool-args-json", JSON.stringify(args)]);
  // A tool that prints one long text has it as text only.
  result.structuredContent ??= JSON.parse(result.content[0].text);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, tool);
  return result;
}

function data(role, tool, args = {}) {
  const result = call(role, tool, args);
  assert.ok(!result.isError, `${tool}: ${result.content[0].text}`);
  const { tool: next } = result.structuredContent.next;
  assert.ok(next, `${tool} has no next`);
  return result.structuredContent;
}

function failure(role, tool, args) {
  const result = call(role, tool, args);
  assert.ok(result.isError, `${tool}: ${result.content[0].text}`);
  assert.ok(result.structuredContent.error.next, `${tool} has no next`);
  return result.structuredContent.error.code;
}

// Makes the call that an answer leads to, with a text in place of the placeholder.
function next(role, answer, text, more = {}) {
  const args = { ...answer.next.arguments, ...more };
  if (args.content === "<content>") args.content = text;
  return data(role, answer.next.tool, args);
}

try {
  for (const era of ["legacy", "modern"]) {
    // --strict ends with an error where a schema is one that some hosts refuse.
    const { tools } = inspect("proposer", "tools/list", ["--strict"], era);
    assert.equal(tools.length, 17, era);
    const { prompts } = inspect("proposer", "prompts/list", [], era);
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["propose", "oppose", "arbitrate"]);
  }

  writeFileSync(join(folder, "plan.md"), "# Plan\n\nCache the price list.\n");
  const plan = data("proposer", "docs_create", { summary: "Plan", path: "plan.md" });
  const cited = (version) => `doc_id=${plan.document_id} v${version}`;
  const motion = { title: "Cache", debate_type: "coding_plan_debate", content: `See ${cited(1)}.` };
  const opened = data("proposer", "debate_create", motion);
  const debate_id = opened.debate_id;

  let seen = data("opponent", "debate_wait", { debate_id });
  let claim = next("opponent", seen, "Two points.", { raise: ["high: Lost on restart @ plan 1", "low: No number"] });
  seen = next("proposer", opened);
  assert.equal(seen.issues.length, 2);
  const target_id = seen.argument.id;
  assert.equal(failure("proposer", "debate_request_completion", { debate_id, target_id, content: "x" }), "ISSUES_OPEN");
  assert.equal(failure("proposer", "debate_submit", { role: "opponent" }), "INVALID_INPUT");
  assert.equal(failure("proposer", "debate_submit", { debate_id, target_id }), "INVALID_INPUT");
  assert.equal(failure("opponent", "debate_submit", { debate_id, target_id, content: "x" }), "ACTION_NOT_ALLOWED");
  data("proposer", "docs_submit", { document_id: plan.document_id, summary: "On disk", content: "# Plan\n\nOn disk.\n" });
  let answer = next("proposer", seen, `Both are in ${cited(2)}.`);
  seen = next("opponent", claim);
  claim = next("opponent", seen, "The size is missing.", { resolve: ["I1"], reopen: ["I2: no number"] });

  seen = next("proposer", answer);
  const appeal = data("proposer", "debate_appeal", {
    debate_id, target_id: seen.argument.id, content: "Is a number needed?", option: ["Yes: 10 MB", "No: later"], refer: ["I2"],
  });
  const due = data("arbitrator", "debate_wait", { debate_id });
  assert.equal(due.action, "rule");
  next("arbitrator", next("arbitrator", due), "Name it.", { choose: 0, uphold: ["I2: 10 MB"] });

  seen = next("proposer", appeal);
  data("arbitrator", "debate_intervention", { debate_id, content: "Wait." });
  answer = next("proposer", seen, "10 MB.", { fix: ["I2: 10 MB"] });
  assert.equal(answer.debate_state, "INTERVENTION_PENDING");
  const ruled = data("arbitrator", "debate_ruling", { debate_id, content: "Go on." });

  seen = next("proposer", answer);
  const submitted = { debate_id, target_id: seen.next_argument_id_to_wait, content: "As ruled." };
  answer = data("proposer", "debate_submit", submitted);
  seen = data("opponent", "debate_wait", { debate_id, argument_id: claim.argument_id });
  const settled = { debate_id, target_id: seen.next_argument_id_to_wait, content: "Nothing is open.", resolve: ["I2"] };
  data("opponent", "debate_submit", settled);
  seen = next("proposer", answer);
  assert.equal(seen.next.tool, "debate_request_completion");
  next("proposer", seen, `Agreed: ${cited(2)}.`);
  seen = data("arbitrator", "debate_wait", { debate_id, argument_id: ruled.argument_id });
  assert.equal(next("arbitrator", seen, "Closed.", { close: true }).action, "debate_closed");
  const { record } = data("opponent", "debate_record", { debate_id });
  assert.deepEqual([record.outcome, record.plan.version], ["agreed", 2]);
  console.log("a debate with the inspector, from the motion to its end");
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}
