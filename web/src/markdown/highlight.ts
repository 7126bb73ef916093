import type { Root } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

export function highlight(language: string, text: string): Root | null {
  return lowlight.registered(language) ? lowlight.highlight(language, text) : null;
}
