/**
 * Of a list of virtua, which lets no pointer reach its items until 150 ms after each scroll, also after one that it makes itself, as
 * when a panel opens beside it: what is seen can be pressed.
 */
export const PRESSABLE = '*:pointer-events-auto!';
