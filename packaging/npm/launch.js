// Runs a binary of the platform's package with this process's arguments, streams, signals and exit status.
const { spawn } = require('node:child_process');

exports.launch = (name) => {
  const platform = `aweave-debate-${process.platform}-${process.arch}`;
  let binary;
  try {
    binary = require.resolve(`${platform}/bin/${name}`);
  } catch {
    console.error(
      `${name}: the package ${platform} is not installed. Install aweave-debate again without --omit=optional; ` +
        'there are packages for Linux with glibc and macOS, on x64 and arm64.',
    );
    process.exit(1);
  }
  const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${name}: cannot start ${binary}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};
