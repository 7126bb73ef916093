import { Scale } from 'lucide-react';
import { useT } from '@/i18n';
import { Link } from './Link';

export function Logo() {
  const t = useT();
  return (
    <Link href="/" className="flex items-center gap-2 rounded-lg py-1 font-semibold tracking-tight">
      <span className="grid size-7 place-items-center rounded-lg bg-primary text-primary-foreground">
        <Scale aria-hidden className="size-4" />
      </span>
      {t('app.name')}
    </Link>
  );
}
