// Checks the markdown on standard input with all rules of markdownlint but that about the length of lines.
import { readFileSync } from 'node:fs';
import { lint } from 'markdownlint/sync';

const strings = { input: readFileSync(0, 'utf8') };
const { input: faults } = lint({ strings, config: { default: true, MD013: false } });
for (const { lineNumber, ruleNames, ruleDescription, errorDetail, errorContext } of faults) {
  console.error([lineNumber, ruleNames[0], ruleDescription, errorDetail, errorContext].filter(Boolean).join(': '));
}
process.exit(faults.length ? 1 : 0);
