import { compare } from './compare';

// In a worker, since comparing two long versions may take seconds.
self.onmessage = ({ data }: MessageEvent<{ before: string; after: string }>) => {
  self.postMessage(compare(data.before, data.after));
};
