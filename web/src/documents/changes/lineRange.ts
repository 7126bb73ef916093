/** Lines of a text, both ends included; the first line is 1. */
export interface LineRange {
  from: number;
  to: number;
}
