import { expect, it } from 'vitest';
import { firstLine } from './SideLines';

it.each([
  ['It costs a day.\nAnd more.', 'It costs a day.'],
  ['## Position\n\n- **Bound it**, as #2 says.', '**Bound it**, as #2 says.'],
  ['\n> 1. Quoted', 'Quoted'],
  ['#2 is wrong.', '#2 is wrong.'],
  ['# Fine', 'Fine'],
  ['', ''],
])('%j in a line', (text, line) => {
  expect(firstLine(text)).toBe(line);
});
