import { navigate, useAddress } from './router';

/** The address of a debate's record: `/d/<id>?record`. */
export const RECORD_SEARCH = '?record';

export function showsRecord(search: string): boolean {
  return new URLSearchParams(search).has('record');
}

/** Leaves the record for the debate. */
export function closeRecord(): void {
  navigate(location.pathname + location.hash);
}

export const useRecordShown = () => useAddress(() => showsRecord(location.search), false);
