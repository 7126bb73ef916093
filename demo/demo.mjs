// A demo debate: a server with a temporary database, `aw debate run` with two scripted agents (agent.mjs), and the user as the
// arbitrator in the browser. Environment variables:
//   DEMO_SPEED    reading speed of the agents, relative to a person (1)
//   DEMO_PORT     port of the server (0: any free port)
//   DEMO_BIN      folder of aw and aweave-server (target/release)
//   DEMO_BROWSER  "no" opens no browser

import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const bin = resolve(process.env.DEMO_BIN || join(here, '../target/release'));
const speed = Number(process.env.DEMO_SPEED || 1);
const home = mkdtempSync(join(tmpdir(), 'aweave-demo-'));
const log = join(home, 'server.log');

// Settings of the user's shell must not redirect the demo to another server or database.
const foreign = /^(DEBATE_|DATABASE_URL$|RUST_LOG$)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));

const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = paint(1);
const dim = paint(2);
const sides = { proposer: paint(36), opponent: paint(35), arbitrator: paint(33) };
const say = (text = '') => process.stdout.write(`${text}\n`);

const children = new Set();
let ending = false;

/** Starts a program, which is killed when the demo ends. */
function start(name, args, options) {
  const child = spawn(join(bin, name), args, options);
  children.add(child);
  child.ended = new Promise((done) => {
    child.on('error', (error) => done({ error }));
    child.on('close', (code, signal) => done({ code, signal }));
  }).finally(() => children.delete(child));
  return child;
}

/** Runs `aw` in this environment and returns its exit status and the document that it prints. */
async function aw(env, ...args) {
  if (ending) return new Promise(() => {});
  const child = start('aw', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const { code, error } = await child.ended;
  if (ending) return new Promise(() => {});
  if (error) throw error;
  const document = JSON.parse(stdout);
  return { code, data: document.content[0].data, document, stderr };
}

/** Runs `aw` and throws if it fails. */
async function mustRun(env, ...args) {
  const { code, data, document } = await aw(env, ...args);
  if (code !== 0) throw new Error(`aw ${args.slice(0, 2).join(' ')}: ${document.error.message}`);
  return data;
}

/** An environment with a home of its own, in which `aw` keeps its keys. Nothing is written to the user's. */
function ownHome(name) {
  const HOME = join(home, name);
  mkdirSync(HOME);
  return { ...env, HOME };
}

function show(argument) {
  const first = argument.content.split('\n').find((line) => line.trim() !== '') ?? '';
  const plain = first.replace(/^#+\s*/, '');
  const line = plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
  const who = sides[argument.role](argument.role.padEnd(10));
  say(`  ${dim(`#${String(argument.seq).padEnd(3)}`)}${who}  ${argument.type.padEnd(13)}${dim(line)}`);
  const changes = (argument.issue_changes ?? []).map(({ change, issue }) => `${change} ${issue}`);
  if (changes.length > 0) say(`  ${' '.repeat(29)}${changes.join(', ')}`);
}

const instructions = {
  APPEAL: [
    'The two cannot agree and have asked you to decide.',
    'In the browser: choose an option, write why, uphold or dismiss I4, and press "Rule and continue".',
  ],
  RESOLUTION: [
    'They agree, and ask you to finish.',
    'In the browser: press "Agreed, close", or write what is missing and send them back.',
  ],
  INTERVENTION: [
    'You have stopped the debate; both agents wait.',
    'In the browser: write what to do, and press "Rule and continue".',
  ],
};

/** Prints new arguments, and what the arbitrator has to do. */
async function narrate(env, debate, url) {
  let seen = 0;
  let due;
  for (;;) {
    const { arguments: all, motion } = await mustRun(
      ...[env, 'debate', 'get-context', '--debate-id', debate, '--limit', '1000'],
    );
    const fresh = [motion, ...all].filter((argument) => argument.seq > seen);
    fresh.forEach(show);
    const newest = fresh.at(-1);
    if (newest) {
      seen = newest.seq;
      if (newest.type === 'RULING' && newest.close) return;
      const question = fresh.findLast((argument) => argument.type in instructions);
      const ruled = fresh.findLast((argument) => argument.type === 'RULING');
      if (ruled) due = undefined;
      if (question && question.seq > (ruled?.seq ?? 0) && !due) {
        due = question.type;
        say(`\n${bold(`  ▶ Your turn. ${instructions[due][0]}`)}\n    ${instructions[due][1]}\n    ${url}\n`);
      }
    }
    await sleep(Math.max(20, 400 / speed));
  }
}

async function serve() {
  const out = openSync(log, 'a');
  const child = start('aweave-server', [], {
    env: {
      ...env,
      DEBATE_SERVER_PORT: process.env.DEMO_PORT || '0',
      DEBATE_DB_PATH: join(home, 'debate.db'),
      RUST_LOG: 'warn',
    },
    stdio: ['ignore', 'pipe', out],
  });
  closeSync(out);
  const listening = new Promise((found) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (some) => {
      printed += some;
      const address = /^listening on (\S+)\n/.exec(printed)?.[1];
      if (address) found(address);
    });
  });
  const exited = child.ended.then(({ error, code }) => {
    if (ending) return new Promise(() => {});
    // Ctrl-C reaches the server, too, and it may end first.
    if (code === 0) return end(0);
    throw new Error(`the server ended (${error?.message ?? code}):\n${readFileSync(log, 'utf8')}`);
  });
  return { address: await Promise.race([listening, exited]), exited };
}

/** Runs the debate to its end. Where a ruling is due the run ends, and goes on once there is one. */
async function run(own, id) {
  const agent = `command:'${process.execPath}' '${join(here, 'agent.mjs')}'`;
  const plan = join(home, 'plan.md');
  copyFileSync(join(here, 'texts/plan-1.md'), plan);
  let words = [
    ...[plan, '--task-file', join(here, 'texts/task.md'), '--folder', home, '--output', join(home, 'better.md')],
    ...['--proposer', agent, '--opponent', agent, '--quick', '--arbitrator', 'human', '--rounds', '20'],
  ];
  for (;;) {
    const { code, data, document } = await aw(own, 'debate', 'run', '--debate-id', id, ...words);
    if (code === 0) return data;
    if (document.error.code !== 'RULING_DUE') throw new Error(`aw debate run: ${document.error.message}`);
    words = [];
    const { arguments: all } = await mustRun(own, 'debate', 'get-context', '--debate-id', id);
    const wait = ['wait', '--debate-id', id, '--role', 'proposer', '--argument-id', all.at(-1).id];
    if (all.at(-1).type !== 'RULING') await mustRun(own, 'debate', ...wait);
  }
}

async function debate(address) {
  env.DEBATE_SERVER_URL = address;
  env.DEMO_SPEED = String(speed);
  const own = ownHome('user');
  const { id } = await mustRun(own, 'debate', 'generate-id');
  const url = `${address}/d/${id}`;
  const running = run(own, id);
  await Promise.race([running, opened(own, id)]);
  // The browser belongs to the user's own home.
  const shown = process.env.DEMO_BROWSER === 'no' ? undefined : await aw(env, 'debate', 'open', '--debate-id', id);
  say(`  ${bold('aw debate run')} starts an agent for each turn. ${bold('You are the arbitrator.')}\n`);
  say(`  ${bold(`▶ Open ${url}`)}`);
  if (shown?.code === 0) say(`    ${dim(shown.document.metadata.message)}`);
  say('    You can stop the debate there at any time: hold the button at the bottom for a second.');
  say(`    ${dim('Ctrl-C here ends the demo and leaves nothing behind.')}\n`);

  const [came] = await Promise.all([running, narrate(own, id, url)]);
  const { before, after } = came.plan_lines;
  say(`\n  ${bold('The debate is closed.')} The plan had ${before} lines and has ${after}; issues: ${came.issues.length}.`);
}

/** Completes when the debate is open. */
const opened = (own, id) => mustRun(own, 'debate', 'wait', '--debate-id', id, '--role', 'opponent', '--until-opened');

async function end(code) {
  if (ending) return;
  ending = true;
  const left = [...children];
  for (const child of left) child.kill('SIGTERM');
  await Promise.race([Promise.all(left.map((child) => child.ended)), sleep(12_000)]);
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!ending) say('\n  Ending the demo.');
    end(0);
  });
}

try {
  if (!(speed > 0)) throw new Error('DEMO_SPEED must be a number greater than 0');
  say(`\n${bold('aweave debate: a demo')}\n`);
  const { address, exited } = await serve();
  await Promise.race([debate(address), exited]);
  if (process.stdout.isTTY) {
    say('  The page stays until you press Ctrl-C.\n');
    await exited;
  }
  await end(0);
} catch (error) {
  if (!ending) process.stderr.write(`\n  The demo failed: ${error.message}\n`);
  await end(1);
}
