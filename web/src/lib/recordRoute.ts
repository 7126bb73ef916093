import { inAddress, navigate, useAddress } from './router';

/** The address of a debate's record: `/d/<id>?record`. */
export const RECORD_SEARCH = '?record';

/** Leaves the record for the debate. */
export function closeRecord(): void {
  navigate(location.pathname + location.hash);
}

export const useRecordShown = () => useAddress(() => inAddress('record'), false);
