import type { AppealOption } from '@/api/types';

/** What the server calls the option it adds: ours to say in the person's language. */
const SERVERS_OWN = 'Something else';

export function optionLabel(option: AppealOption, somethingElse: string): string {
  return option.free_form && option.label === SERVERS_OWN ? somethingElse : option.label;
}
