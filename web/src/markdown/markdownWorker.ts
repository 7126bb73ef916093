import type { Root } from 'hast';
import { type MarkdownRequest, toHast } from './toHast';

export interface WorkerRequest {
  id: number;
  request: MarkdownRequest;
}

export interface WorkerAnswer {
  id: number;
  /** Null if the text could not be parsed. */
  tree: Root | null;
}

// In a worker, since parsing a long argument takes longer than a frame, and the parser longer than that to load.
self.onmessage = async ({ data: { id, request } }: MessageEvent<WorkerRequest>) => {
  const answer: WorkerAnswer = { id, tree: await toHast(request).catch(() => null) };
  try {
    self.postMessage(answer);
  } catch {
    // A tree that is too deep cannot be sent.
    self.postMessage({ id, tree: null } satisfies WorkerAnswer);
  }
  // Not before the first text is shown, which the highlighter, larger than all else, would delay.
  import('./highlight').catch(() => undefined);
};
