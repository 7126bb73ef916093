import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'export',
  // The server embeds `out/`; two builds of one tree must give the same bytes.
  generateBuildId: () => 'aweave',
  poweredByHeader: false,
  reactStrictMode: true,
  turbopack: { root: import.meta.dirname },
};

export default config;
