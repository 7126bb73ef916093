import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { binary } from './binaries';

const run = promisify(execFile);

/** Runs `aw` and returns the data of its answer. */
export async function aw<T>(server: string, words: readonly string[], token?: string): Promise<T> {
  const { stdout } = await run(binary('aw'), [...words], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH ?? '',
      DEBATE_SERVER_URL: server,
      ...(token && { DEBATE_AUTH_TOKEN: token }),
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout).content[0].data as T;
}
