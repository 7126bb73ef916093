import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'export',
  // A constant id, so that two builds of the same sources are identical.
  generateBuildId: () => 'aweave',
  poweredByHeader: false,
  reactStrictMode: true,
  turbopack: { root: import.meta.dirname },
};

export default config;
