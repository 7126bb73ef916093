import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { binary } from '../e2e/support/binaries';
import { Server } from '../e2e/support/server';
import { toSvg } from './terminalSvg';

const COLUMNS = 92;

/** Answers as claude does: a result in one line of JSON. Of a quick run what does not block becomes a note. */
const CLAUDE = `#!/bin/sh
case $1 in
  auth) exit 0 ;;
  --version) echo '2.1.0 (Claude Code)'; exit 0 ;;
esac
cat > /dev/null
case "$AW_ROLE-$AW_TURN" in
  opponent-1) changes='{"change":"raise","severity":"high","title":"A price may be 60 s old when it is charged"},{"change":"raise","severity":"low","title":"No test names the 60 s"}' ;;
  opponent-*) changes='{"change":"resolve","issue":"I1"}' ;;
  *) printf '3. A change invalidates the list at once; a test says so.\\n' >> plan.md
     changes='{"change":"fix","issue":"I1"}' ;;
esac
printf '{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{"content":"As the issues say.","issue_changes":[%s]},"total_cost_usd":0.21,"usage":{"input_tokens":21000,"output_tokens":1800},"modelUsage":{"claude-opus-4-5":{"outputTokens":1800}}}\\n' "$changes"
`;

test('a run at the terminal', async () => {
  const server = await Server.start();
  const home = await mkdtemp(join(tmpdir(), 'aweave-picture-'));
  const bin = join(home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'claude'), CLAUDE);
  await chmod(join(bin, 'claude'), 0o755);
  await writeFile(
    join(home, 'plan.md'),
    '# Cache the price list\n\n1. Keep it in memory.\n2. Reload it every 60 s.\n',
  );
  const command = 'aw debate run plan.md --quick --output better.md';
  const typed = join(home, 'typed');
  const env = {
    NODE_ENV: 'test' as const,
    PATH: `${bin}:${join(binary('aw'), '..')}:${process.env.PATH ?? ''}`,
    HOME: home,
    TERM: 'xterm-256color',
    DEBATE_SERVER_URL: server.url,
  };
  // script(1) gives it a terminal for its output; progress is told line by line where stderr is none.
  const line = `stty cols ${COLUMNS}; ${command} 2>progress`;
  await promisify(execFile)('script', ['-qefc', line, typed], { cwd: home, env });
  const text = async (name: string) => await readFile(join(home, name), 'utf8');
  const output = (await text('typed')).split('\n').slice(1, -2).join('\n');
  const shown = `\u001b[2m$\u001b[0m ${command}\n${await text('progress')}${output}`;
  expect(output).toContain('The debate is closed');
  const usual = shown
    .replaceAll(server.url, 'http://127.0.0.1:3456')
    .replaceAll(home, '~')
    .replaceAll('\r', '');
  await writeFile(join(import.meta.dirname, '../../docs/pictures/run.svg'), toSvg(usual, COLUMNS));
  await server.remove();
  await rm(home, { recursive: true });
});
