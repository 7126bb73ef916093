/** Saves a text as a file. */
export function save(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const MAX_NAME_LENGTH = 48;

/** Such as `cache-the-price-list-7c9e6679-record.json`. Ids are random, so that their first eight digits tell them apart. */
export function fileNameOf(title: string, id: string, what: string): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = Array.from(words.join('-').toLowerCase()).slice(0, MAX_NAME_LENGTH).join('');
  return [...(name ? [name] : []), id.slice(0, 8), what].join('-');
}
