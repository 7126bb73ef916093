import { resolve } from 'node:path';

const FOLDER = process.env.AWEAVE_BIN_DIR ?? resolve(import.meta.dirname, '../../../target/debug');

export function binary(name: 'aweave-server' | 'aw'): string {
  return resolve(FOLDER, name);
}
