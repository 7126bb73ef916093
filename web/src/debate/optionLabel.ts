import type { AppealOption } from '@/api/types';

/** The label of the option that the server adds; it is shown in the user's language. */
const ADDED_BY_SERVER = 'Something else';

export function optionLabel(option: AppealOption, somethingElse: string): string {
  return option.free_form && option.label === ADDED_BY_SERVER ? somethingElse : option.label;
}
