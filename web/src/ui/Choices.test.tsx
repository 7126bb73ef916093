import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Choices } from './Choices';

it.each(['segments', 'pills', 'quiet', 'cards'] as const)(
  'of %s, the chosen one has a line around it and not only a tint, also in forced colours',
  (look) => {
    const choices = [['a', 'A'] as const, ['b', 'B'] as const];
    const html = renderToStaticMarkup(
      <Choices label="Form" look={look} chosen="b" choices={choices} onChoose={() => {}} />,
    );
    const [other = '', chosen = ''] = [...html.matchAll(/<label class="([^"]*)"/g)].map(([, names]) => names);
    const line = /(?<=^| )(ring|border)-arbitrator(?= |$)/;
    expect([chosen, other].map((names) => line.test(names))).toEqual([true, false]);
    expect([chosen, other].map((names) => names.includes('forced-colors:outline'))).toEqual([true, false]);
  },
);
