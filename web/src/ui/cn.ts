/** Joins classes. Of two that set the same property, the one that is to replace the other ends in `!`. */
export { clsx as cn } from 'clsx';
