import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { binary } from './binaries';
import { freePort } from './freePort';

const START_MS = 20_000;

/** In memory where the system has such a folder: no test here is about what a disk keeps. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A server with its own SQLite database. It can be stopped, and started again on the same port. */
export class Server {
  private child: ChildProcess | null = null;
  url = '';
  /** Everything that it has printed to stdout. */
  printed = '';

  private constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
    private readonly onATerminal: boolean,
    private readonly port: number,
  ) {}

  static async start(env: Record<string, string> = {}, onATerminal = false): Promise<Server> {
    const folder = await mkdtemp(join(FOLDER, 'aweave-e2e-'));
    const server = new Server(folder, env, onATerminal, await freePort());
    await server.startAgain();
    return server;
  }

  async startAgain(env = this.env): Promise<void> {
    const own = [binary('aweave-server'), '--port', String(this.port)] as const;
    // script(1) runs it on a terminal.
    const [program, ...args] = this.onATerminal ? ['script', '-qefc', own.join(' '), '/dev/null'] : own;
    const child = spawn(program, args, {
      env: {
        NODE_ENV: 'test',
        PATH: process.env.PATH ?? '',
        HOME: this.folder,
        DEBATE_DB_PATH: this.databasePath(),
        RUST_LOG: 'warn',
        ...env,
      },
      // On a terminal both streams go to stdout; stderr has only script's own messages.
      stdio: ['ignore', 'pipe', this.onATerminal ? 'ignore' : 'inherit'],
    });
    this.child = child;
    child.stdout?.on('data', (text) => {
      this.printed += text;
    });
    this.url = await listening(child);
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  /** A copy of the database. The server must be stopped, so that all of it is in one file. */
  async readDatabase(): Promise<Buffer> {
    return await readFile(this.databasePath());
  }

  /** Replaces the database by an earlier copy. */
  async restoreDatabase(database: Buffer): Promise<void> {
    await writeFile(this.databasePath(), database);
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private databasePath(): string {
    return join(this.folder, 'debate.db');
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not start')), START_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}
