// A demo debate: a server with a temporary database, two scripted agents that debate a plan with `aw`, and the user as the
// arbitrator in the browser. Environment variables:
//   DEMO_SPEED    reading speed of the agents, relative to a person (1)
//   DEMO_PORT     port of the server (0: any free port)
//   DEMO_BIN      folder of aw and aweave-server (target/release)
//   DEMO_BROWSER  "no" opens no browser

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const text = (name) => readFileSync(join(here, 'texts', name), 'utf8');

/** Writes a text with these values in place of their `{{names}}` to a file. */
function fill(name, values) {
  const file = join(home, `${++filled}-${name}`);
  writeFileSync(file, text(name).replace(/{{(\w+)}}/g, (_, value) => values[value]));
  return file;
}
let filled = 0;

/** Sleeps as long as a person needs to read a text, within bounds. */
const reading = (file) => sleep(Math.min(9000, 3000 + 4 * readFileSync(file, 'utf8').length) / speed);

function show(argument) {
  const first = argument.content.split('\n').find((line) => line.trim() !== '') ?? '';
  const plain = first.replace(/^#+\s*/, '');
  const line = plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
  const who = sides[argument.role](argument.role.padEnd(10));
  say(`  ${dim(`#${String(argument.seq).padEnd(3)}`)}${who}  ${argument.type.padEnd(13)}${dim(line)}`);
  const changes = (argument.issue_changes ?? []).map(({ change, issue }) => `${change} ${issue}`);
  if (changes.length > 0) say(`  ${' '.repeat(29)}${changes.join(', ')}`);
}

/** The option that changes these issues; none if there are none. */
function change(option, issues) {
  const ids = issues.map(({ id }) => id);
  return ids.length > 0 ? [option, ids.join(',')] : [];
}

const open = (issues) => issues.filter(({ status }) => status === 'open');
const fixed = (issues) => issues.filter(({ status }) => status === 'fixed');

/** The ruling as a markdown quote. */
function quoted(ruling, options) {
  const chosen = options?.[ruling.chosen_option];
  const words = chosen ? `**${chosen.label}.** ${ruling.content}` : ruling.content;
  return words.replace(/^/gm, '> ');
}

/** The plan, a document of which each version has what was fixed and ruled by then. */
class Plan {
  constructor(env) {
    Object.assign(this, { env, id: undefined, version: 0, template: 'plan-1.md', rulings: [] });
  }

  /** How the newest version is cited. */
  get cited() {
    return `doc_id=${this.id} v${this.version}`;
  }

  async store(summary) {
    const rulings = ['', '## Bounds set by the arbitrator', '', this.rulings.join('\n\n'), ''].join('\n');
    const file = fill(this.template, { rulings: this.rulings.length > 0 ? rulings : '' });
    const verb = this.id ? ['submit', this.id] : ['create'];
    const stored = await mustRun(this.env, 'docs', ...verb, '--summary', summary, '--file', file);
    Object.assign(this, { id: stored.document_id, version: stored.version });
  }
}

/** An agent: waits, reads and answers until the debate is closed. */
class Agent {
  constructor(role, env, debate, answer) {
    Object.assign(this, { role, env, debate, answer, seen: undefined });
  }

  async run() {
    for (;;) {
      const known = this.seen ? ['--argument-id', this.seen] : [];
      const wait = ['wait', '--debate-id', this.debate, '--role', this.role, ...known];
      const news = await mustRun(this.env, 'debate', ...wait);
      if (news.status !== 'new_argument') continue;
      this.seen = news.next_argument_id_to_wait ?? this.seen;
      if (news.action === 'debate_closed') return;
      if (news.action === 'respond' || news.action === 'align_to_ruling') await this.speak(news);
    }
  }

  async speak({ action, argument, issues = [] }) {
    const [verb, file, ...more] = await this.answer(action, argument, issues);
    await reading(file);
    const role = verb === 'submit' ? ['--role', this.role] : [];
    const target = ['--debate-id', this.debate, '--target-id', argument.id];
    const { code, data, document } = await aw(this.env, 'debate', verb, ...role, ...target, '--file', file, ...more);
    // Not allowed: the arbitrator intervened. The next wait returns the ruling.
    if (code === 5) return;
    if (code !== 0) throw new Error(`aw debate ${verb}: ${document.error.message}`);
    this.seen = data.argument.id;
  }
}

const OPTIONS = [
  '60 seconds: a timer, as planned; simple, and wrong for a minute after a change',
  'At once: NOTIFY and a listening connection per server',
];

/** Returns the proposer's next argument: the scripted one, or after a ruling one that quotes it. */
function proposer(plan) {
  /** The plan's part that answers each of the first issues. */
  const parts = { I1: 'What changes, 1', I2: 'What changes, 3', I3: 'What changes, 2' };
  const script = [
    async (issues) => {
      plan.template = 'plan-2.md';
      await plan.store('Payment reads from the database, ready after the first load, one list a request');
      const fix = open(issues).flatMap(({ id }) => ['--fix', `${id}: ${plan.cited}, "${parts[id]}"`]);
      return ['submit', fill('03-proposer.md', { plan: plan.cited }), ...fix];
    },
    async (issues) => {
      const options = OPTIONS.flatMap((option) => ['--option', option]);
      return ['appeal', fill('05-appeal.md', {}), ...options, ...change('--refer', open(issues))];
    },
  ];
  const finish = async () => ['request-completion', fill('08-resolution.md', { plan: plan.cited })];
  return async (action, argument, issues) => {
    if (action !== 'align_to_ruling') return await (script.shift() ?? finish)(issues);
    const ruling = quoted(argument, OPTIONS.map((option) => ({ label: option.split(':')[0] })));
    if (open(issues).length > 0) plan.template = 'plan-2.md';
    plan.rulings.push(ruling);
    await plan.store('With what was ruled');
    const part = (id) => parts[id] ?? 'Bounds set by the arbitrator';
    const fix = open(issues).flatMap(({ id }) => ['--fix', `${id}: ${plan.cited}, "${part(id)}"`]);
    return ['submit', fill('06-align.md', { plan: plan.cited, ruling }), ...fix];
  };
}

const RAISED = [
  [
    'critical: A customer is charged a price that is up to 60 s old @ checkout/total.rs',
    'high: No list at all if the first load fails @ plan, point 3',
    'medium: Two prices for one thing on a page @ plan, point 2',
  ],
  ['high: A displayed price may be 60 s old @ plan, point 2'],
];

function opponent() {
  const script = ['02-opponent.md', '04-opponent.md'];
  const raised = [...RAISED];
  return async (_action, _argument, issues) => {
    const raise = (raised.shift() ?? []).flatMap((issue) => ['--raise', issue]);
    const file = fill(script.shift() ?? '07-agree.md', {});
    return ['submit', file, ...raise, ...change('--resolve', fixed(issues))];
  };
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

async function debate(address) {
  env.DEBATE_SERVER_URL = address;
  const [own, first, second] = ['arbitrator', 'proposer', 'opponent'].map(ownHome);
  const { id } = await mustRun(own, 'debate', 'generate-id');
  const url = `${address}/d/${id}`;
  const plan = new Plan(first);
  await plan.store('Cache the price list');
  await mustRun(
    ...[first, 'debate', 'create', '--debate-id', id, '--title', 'Cache the price list'],
    ...['--debate-type', 'coding_plan_debate', '--file', fill('01-motion.md', { plan: plan.cited })],
  );
  // The browser belongs to the user's own home.
  const opened =
    process.env.DEMO_BROWSER === 'no' ? undefined : await aw(env, 'debate', 'open', '--debate-id', id);
  say(`  Two agents debate a plan, each with its own ${bold('aw')}. ${bold('You are the arbitrator.')}\n`);
  say(`  ${bold(`▶ Open ${url}`)}`);
  if (opened?.code === 0) say(`    ${dim(opened.document.metadata.message)}`);
  say('    You can stop the debate there at any time: hold the button at the bottom for a second.');
  say(`    ${dim('Ctrl-C here ends the demo and leaves nothing behind.')}\n`);

  const agents = [
    new Agent('proposer', first, id, proposer(plan)),
    new Agent('opponent', second, id, opponent()),
  ];
  await Promise.all([narrate(own, id, url), ...agents.map((agent) => agent.run())]);
  say(`\n  ${bold('The debate is closed.')} The plan is agreed, and the whole debate can be read.`);
}

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
