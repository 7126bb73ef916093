import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { lazyComponent, loadComponents } from './lazyComponent';

const load = async () => ({ default: ({ name }: { name: string }) => <b>{name}</b> });

it('begins with what stands for the first screen, also when that is loaded, and with a loaded part for which nothing stands', async () => {
  const Screen = lazyComponent(load, ({ name }: { name: string }) => <i>{name} comes</i>);
  const Part = lazyComponent(load);
  for (const part of [Screen, Part]) await part.load();
  expect(renderToStaticMarkup(<Screen name="plan" />)).toBe('<i>plan comes</i>');
  expect(renderToStaticMarkup(<Part name="plan" />)).toBe('<b>plan</b>');
});

it('is loaded with all others in advance, and one that cannot be does not keep the others away', async () => {
  lazyComponent<object>(() => Promise.reject(new Error('away')));
  const Part = lazyComponent(load);
  expect(renderToStaticMarkup(<Part name="plan" />)).toBe('');
  await loadComponents();
  expect(renderToStaticMarkup(<Part name="plan" />)).toBe('<b>plan</b>');
});
