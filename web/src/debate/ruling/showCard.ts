/** Brings the place in view where an issue is decided; false if there is none. */
export function showCard(form: HTMLElement | null, id: string): boolean {
  const card = form?.querySelector(`[data-decide="${id}"]`);
  const control = card?.querySelector<HTMLElement>('input:checked');
  if (!card || !control) return false;
  control.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'center' });
  return true;
}
