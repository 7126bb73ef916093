import { CircleAlert, CircleCheck } from 'lucide-react';
import { createStore, useStore } from '@/lib/store';
import { cn } from './cn';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
}

const SHOWN_MS = 3500;
const MOST = 2;
const toasts = createStore<readonly Toast[]>([]);
let nextId = 0;

export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = nextId++;
  toasts.set([...toasts.get().slice(1 - MOST), { id, tone, text }]);
  setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), SHOWN_MS);
}

export function Toasts() {
  return (
    <div
      role="status"
      // Above sheets, and where nothing is written or pressed.
      className="pointer-events-none fixed inset-x-0 top-3 z-60 flex flex-col items-center gap-2 px-4"
    >
      {useStore(toasts).map(({ id, tone, text }) => (
        <p
          key={id}
          className={cn(
            'flex motion-safe:animate-in fade-in slide-in-from-top-1 duration-150 items-center gap-2 rounded-full border border-border bg-card px-4 py-2 text-sm font-medium shadow-raised [&_svg]:size-4',
            tone === 'good' ? '[&_svg]:text-success' : '[&_svg]:text-destructive',
          )}
        >
          {tone === 'good' ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
          {text}
        </p>
      ))}
    </div>
  );
}
