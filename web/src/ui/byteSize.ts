export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function sizeLabel(text: string): string {
  const bytes = byteLength(text);
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;
}
