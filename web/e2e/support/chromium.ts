import sparticuz from '@sparticuz/chromium';

/**
 * A single process ends with the first closed page, and web security must be on in tests. A GPU that is emulated in
 * software blocks a page for seconds when the machine is busy: pages are drawn without one.
 */
const UNWANTED = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);

/** Launch options for the Chromium from npm, or for the one in CHROMIUM_BIN. */
export async function chromiumLaunch(): Promise<{ executablePath: string; args: string[] }> {
  return {
    executablePath: process.env.CHROMIUM_BIN ?? (await sparticuz.executablePath()),
    args: [
      ...sparticuz.args.filter((arg) => !UNWANTED.has(arg)),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  };
}
