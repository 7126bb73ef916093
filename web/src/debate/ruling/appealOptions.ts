import type { AppealOption, Argument } from '@/api/types';

/** One entry to choose from; `index` is null if it is not an option of the appeal. */
export interface Choice {
  index: number | null;
  option: AppealOption;
}

/** The appeal's options. "Something else" is added if the appeal has no free-form option. */
export function choicesFor(appeal: Argument | null, somethingElse: string): readonly Choice[] {
  const options = appeal?.options ?? [];
  if (options.length === 0) return [];
  const choices: Choice[] = options.map((option, index) => ({ index, option }));
  return options.some(({ free_form }) => free_form)
    ? choices
    : [...choices, { index: null, option: { label: somethingElse, free_form: true } }];
}

/** The text that a choice puts into the ruling; empty for a free-form option. */
export function choiceText(option: AppealOption): string {
  if (option.free_form) return '';
  return option.detail ? `**${option.label}**\n\n${option.detail}\n` : `**${option.label}**\n`;
}

/** Replaces the text of the old choice by that of the new one. What the person wrote, or edited in it, is kept. */
export function replaceChoiceText(text: string, oldChoice: string, newChoice: string): string {
  const own = oldChoice !== '' && text.startsWith(oldChoice) ? text.slice(oldChoice.length) : text;
  if (own.trim() === '') return newChoice;
  if (newChoice === '') return own.replace(/^\n+/, '');
  return own.startsWith('\n') ? newChoice + own : `${newChoice}\n${own}`;
}
