import { expect, it } from 'vitest';
import { optionLabel } from './OptionList';

it('translates the option that the server adds, and no other', () => {
  expect(optionLabel({ label: 'Something else', free_form: true }, 'Khác')).toBe('Khác');
  expect(optionLabel({ label: 'Something else' }, 'Khác')).toBe('Something else');
  expect(optionLabel({ label: 'Own words', free_form: true }, 'Khác')).toBe('Own words');
});
