// Packs the npm packages: `aweave-debate` has two small launchers, and takes the binaries from the one package of its
// optional dependencies that fits the platform. npm runs no install script for that.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { VERSION: version, TARGET, TREE, WORK, DIST, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const packaging = fileURLToPath(new URL('.', import.meta.url));
const docs = join(TREE, 'usr/share/doc/aweave-debate');

const PLATFORMS = {
  'x86_64-unknown-linux-gnu': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'aarch64-unknown-linux-gnu': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  'x86_64-apple-darwin': { os: ['darwin'], cpu: ['x64'] },
  'aarch64-apple-darwin': { os: ['darwin'], cpu: ['arm64'] },
};
// With trusted publishing, npm takes only packages that name the repository whose workflow publishes them.
const repository = GITHUB_REPOSITORY
  ? { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` }
  : undefined;
const nameFor = ({ os, cpu }) => `aweave-debate-${os[0]}-${cpu[0]}`;

/** Makes a package of the files that `fill` puts into its folder. */
function pack(manifest, licenses, fill) {
  const folder = join(WORK, 'npm', manifest.name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  fill(folder);
  for (const license of licenses) {
    if (existsSync(join(docs, license))) copyFileSync(join(docs, license), join(folder, license));
  }
  const files = ['bin', 'LICENSE-*', 'THIRD-PARTY-LICENSES'];
  const common = { version, license: 'MIT OR Apache-2.0', repository, files };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...common }, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', DIST], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

const platform = PLATFORMS[TARGET];
if (platform === undefined) {
  console.log(`dist: no npm package for ${TARGET}`);
  process.exit();
}
const licenses = ['LICENSE-MIT', 'LICENSE-APACHE'];
const binaries = {
  name: nameFor(platform),
  description: `The binaries of aweave-debate for ${platform.os[0]} on ${platform.cpu[0]}`,
  ...platform,
};
pack(binaries, [...licenses, 'THIRD-PARTY-LICENSES'], (folder) => {
  for (const name of ['aw', 'aweave-server']) copyFileSync(join(TREE, 'usr/bin', name), join(folder, 'bin', name));
});
// The same on every platform; a release takes it from one of them.
const launchers = {
  name: 'aweave-debate',
  description: 'Two AI agents debate a plan before anyone implements it; a person decides',
  bin: { aw: 'bin/aw', 'aweave-server': 'bin/aweave-server' },
  optionalDependencies: Object.fromEntries(Object.values(PLATFORMS).map((each) => [nameFor(each), version])),
};
pack(launchers, licenses, (folder) => {
  for (const name of ['aw', 'aweave-server']) {
    copyFileSync(join(packaging, 'npm/launch.sh'), join(folder, 'bin', name));
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  copyFileSync(join(packaging, 'description.md'), join(folder, 'README.md'));
});
