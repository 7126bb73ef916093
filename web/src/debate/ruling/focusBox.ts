/** A form that comes, or a card that comes back, has its box some frames later. */
const MOST_FRAMES = 20;

/** Moves the focus to what may be done on the page: to the box of a ruling, else to what stands below the debate. */
export function focusAction(): void {
  document.querySelector<HTMLElement>('[data-ruling-box], [data-action]')?.focus();
}

/** Moves the focus to the box of a debate's ruling, else to the page, so that the keyboard goes on from there. */
export function focusBox(debateId: string, frames = MOST_FRAMES): void {
  requestAnimationFrame(() => {
    const box = document.querySelector<HTMLElement>(`[data-ruling-box="${debateId}"]`);
    if (box === null && frames > 0) focusBox(debateId, frames - 1);
    else (box ?? document.getElementById('debate'))?.focus();
  });
}
