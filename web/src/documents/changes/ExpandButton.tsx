import { UnfoldVertical } from 'lucide-react';
import { Button } from '@/ui/button';

/** Shows what did not change, which is collapsed. */
export function ExpandButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="link" size="bare" className="w-full py-1 font-sans text-xs" onClick={onClick}>
      <UnfoldVertical aria-hidden />
      {label}
    </Button>
  );
}
