export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function sizeLabel(text: string): string {
  return byteLabel(byteLength(text));
}

export function byteLabel(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;
}
