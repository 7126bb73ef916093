import { compareBlocks } from './blocks';
import { compare } from './compare';
import { type Step, trace } from './lineOrigins';

export interface ComparisonRequest {
  before: string;
  after: string;
  form: 'rendered' | 'raw';
}

// In a worker, since comparing long versions may take seconds.
self.onmessage = ({ data }: MessageEvent<ComparisonRequest | { steps: readonly Step[] }>) => {
  if ('steps' in data) self.postMessage(trace(data.steps));
  else self.postMessage((data.form === 'raw' ? compare : compareBlocks)(data.before, data.after));
};
