import type { AppealOption, Argument } from '@/api/types';

/** What the person is choosing from; `index` is null where the appeal itself does not offer it. */
export interface Choice {
  index: number | null;
  option: AppealOption;
}

/** The appeal's options; "something else" is always there, and last where the appeal has none of its own. */
export function choicesOf(appeal: Argument | null, somethingElse: string): readonly Choice[] {
  const options = appeal?.options ?? [];
  if (options.length === 0) return [];
  const choices: Choice[] = options.map((option, index) => ({ index, option }));
  return options.some(({ free_form }) => free_form)
    ? choices
    : [...choices, { index: null, option: { label: somethingElse, free_form: true } }];
}

/** What a choice writes into the ruling; free form leaves the words to the person. */
export function fillOf(option: AppealOption): string {
  if (option.free_form) return '';
  return option.detail ? `**${option.label}**\n\n${option.detail}\n` : `**${option.label}**\n`;
}

/**
 * Puts the new choice's words in place of the old one's. What the person wrote is kept, so trying out the options
 * costs nothing; a fill that was edited has become the person's own words.
 */
export function refill(text: string, oldFill: string, newFill: string): string {
  const own = oldFill !== '' && text.startsWith(oldFill) ? text.slice(oldFill.length) : text;
  if (own.trim() === '') return newFill;
  if (newFill === '') return own.replace(/^\n+/, '');
  return own.startsWith('\n') ? newFill + own : `${newFill}\n${own}`;
}
