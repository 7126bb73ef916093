import sparticuz from '@sparticuz/chromium';

/** One process for everything dies with the first page that closes; the web's own rules must hold in tests too. */
const UNWANTED = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

/** The Chromium that npm brings, or the one in CHROMIUM_BIN. */
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
