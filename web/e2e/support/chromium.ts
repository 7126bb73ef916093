import sparticuz from '@sparticuz/chromium';

/** A single process ends with the first closed page, and web security must be on in tests. */
const UNWANTED = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

/** Launch options for the Chromium from npm, or for the one in CHROMIUM_BIN. */
export async function chromiumLaunch(): Promise<{ executablePath: string; args: string[] }> {
  return {
    executablePath: process.env.CHROMIUM_BIN ?? (await sparticuz.executablePath()),
    args: [
      ...sparticuz.args.filter((arg) => !UNWANTED.has(arg)),
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  };
}
