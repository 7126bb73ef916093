import type { DocumentVersion } from '@/api/types';
import { fileName } from './content';

/** Saves the content of a version as a file, byte for byte. */
export function download(version: DocumentVersion): void {
  const url = URL.createObjectURL(new Blob([version.content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(version);
  link.click();
  URL.revokeObjectURL(url);
}
