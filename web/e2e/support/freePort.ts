import { createServer } from 'node:net';

const FIRST = 15_000;
const COUNT = 15_000;

/** Workers begin far from each other. */
let tried = process.pid * 101;

/** A free port below those that outgoing connections get, so that none takes it while a server is away or starts. */
export async function freePort(): Promise<number> {
  for (let turn = 0; turn < COUNT; turn += 1) {
    tried += 1;
    const port = FIRST + (tried % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
