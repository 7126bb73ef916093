import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'export',
  // A constant id, so that two builds of the same sources are identical.
  generateBuildId: () => 'aweave',
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check:types` has the types of everything, tests too, and what those need is not there in every build.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    root: import.meta.dirname,
    // Its variant for browsers decodes with the DOM, which the worker that parses markdown does not have.
    resolveAlias: {
      'decode-named-character-reference': './node_modules/decode-named-character-reference/index.js',
    },
  },
};

export default config;
