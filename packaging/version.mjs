// Keeps the product's version the same in every manifest.
//   node packaging/version.mjs             prints the version
//   node packaging/version.mjs check       fails where a file has another one
//   node packaging/version.mjs set 1.2.3   writes it everywhere
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const VERSION = /\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?/.source;

// Where versions are: the text before and, where needed, after each of them.
const manifest = [/^\{\s*"name": "[^"]+",\s*"version": "/];
const npmLock = [/(?:^|"packages": \{\s*"": )\{\s*"name": "[^"]+",\s*"version": "/];
// Only the crates of this repository have no source.
const cargoLock = [/\[\[package\]\]\nname = "[^"]+"\nversion = "/, /"\n(?!source)/];
const PLACES = {
  'Cargo.toml': [/\[workspace\.package\]\nversion = "/],
  'Cargo.lock': cargoLock,
  'bench/Cargo.toml': [/\[package\]\n(?:\w.*\n)*?version = "/],
  'bench/Cargo.lock': cargoLock,
  'web/package.json': manifest,
  'web/package-lock.json': npmLock,
  'tests/package.json': manifest,
  'tests/package-lock.json': npmLock,
  // The contract's own, and those in the example of GET /info.
  'openapi.json': [/"(?:version|contract)": "/],
  'asyncapi.yaml': [/\ninfo:\n(?: .*\n|\n)*?  version: /],
};

function fail(message) {
  console.error(`version: ${message}`);
  process.exit(1);
}

function open(file) {
  const [before, after = /(?!\d)/] = PLACES[file];
  const text = readFileSync(new URL(file, root), 'utf8');
  const pattern = new RegExp(`(${before.source})(${VERSION})(?=${after.source})`, 'g');
  const versions = [...text.matchAll(pattern)].map((match) => match[2]);
  if (versions.length === 0) fail(`${file} has no version where packaging/version.mjs looks for it`);
  return { file, versions, with: (version) => text.replace(pattern, (_, prefix) => prefix + version) };
}

const files = Object.keys(PLACES).map(open);
const [current] = files[0].versions;
const [command, wanted] = process.argv.slice(2);

if (command === undefined) {
  console.log(current);
} else if (command === 'check') {
  for (const { file, versions } of files) {
    const other = versions.find((version) => version !== current);
    if (other) fail(`${file} says ${other}, Cargo.toml says ${current}; run: node packaging/version.mjs set ${current}`);
  }
} else if (command === 'set' && new RegExp(`^${VERSION}$`).test(wanted)) {
  for (const file of files) writeFileSync(new URL(file.file, root), file.with(wanted));
} else {
  fail('usage: node packaging/version.mjs [check | set MAJOR.MINOR.PATCH]');
}
