import type { Issue } from '@/api/types';

/** Issues that the sides did not settle between themselves. */
export function dissentOf(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(({ status }) => status !== 'resolved' && status !== 'withdrawn');
}
