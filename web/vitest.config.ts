import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    // By default one core is left idle, which is half of a machine with two: one long test would hold up all others.
    maxWorkers: '100%',
  },
});
