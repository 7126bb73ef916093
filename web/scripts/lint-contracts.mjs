// Checks both contracts with Redocly's recommended rules. A warning is a failure, and nothing is ignored.
import { fileURLToPath } from 'node:url';
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended'] });

for (const name of ['openapi.json', 'asyncapi.yaml']) {
  const ref = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const problems = await lint({ ref, config });
  if (problems.length === 0) continue;
  formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '' });
  process.exitCode = 1;
}
