import { Quote, TriangleAlert, X } from 'lucide-react';
import { useContext } from 'react';
import { useT } from '@/i18n';
import { planSearch, THE_PLAN } from '@/lib/planRoute';
import { Button, IconButton } from '@/ui/button';
import { PlanLinksContext } from '@/ui/CitedDocumentLink';
import { Link } from '@/ui/Link';
import { type PlanComment, placeLabel } from './lineComments';

interface QuotationListProps {
  comments: readonly PlanComment[];
  onChange: (comments: readonly PlanComment[]) => void;
  onRaise: (comment: PlanComment) => void;
}

/** The comments on the plan that the ruling quotes. Each can be edited, dropped or turned into an issue. */
export function QuotationList({ comments, onChange, onRaise }: QuotationListProps) {
  const t = useT();
  const show = useContext(PlanLinksContext);
  const edit = ({ key }: PlanComment, text: string) =>
    onChange(comments.map((one) => (one.key === key ? { ...one, text } : one)));
  if (comments.length === 0) return null;
  return (
    <fieldset aria-label={t('ruling.comments')} className="min-w-0">
      <ul className="divide-y rounded-xl border bg-background sm:max-h-[30dvh] sm:overflow-y-auto">
        {comments.map((comment) => {
          const { key, documentId: id, version, quote, text } = comment;
          const place = placeLabel(t, version, comment);
          const route = { ...THE_PLAN, id, version, view: 'text' } as const;
          return (
            <li key={key} data-comment={key} className="px-3 py-2">
              <div className="flex items-center gap-2">
                <Quote aria-hidden className="size-3.5 shrink-0 text-arbitrator" />
                <Link
                  href={planSearch(route)}
                  onNavigate={() => show?.(route)}
                  className="link mr-auto rounded text-xs font-semibold tabular-nums"
                >
                  {place}
                </Link>
                <Button
                  variant="ghost"
                  size="sm"
                  className="h-7! px-2! text-xs!"
                  aria-label={t('ruling.comments.raise', { place })}
                  title={t('ruling.comments.raise', { place })}
                  onClick={() => onRaise(comment)}
                >
                  <TriangleAlert aria-hidden />
                  {t('ruling.comments.raise.short')}
                </Button>
                <IconButton
                  size="tiny"
                  icon={X}
                  label={t('ruling.comments.remove', { place })}
                  onClick={() => onChange(comments.filter((other) => other !== comment))}
                />
              </div>
              <p
                dir="auto"
                title={quote}
                className="line-clamp-2 text-xs whitespace-pre-line text-muted-foreground wrap-anywhere"
              >
                {quote}
              </p>
              <textarea
                dir="auto"
                rows={Math.min(4, text.split('\n').length)}
                aria-label={t('ruling.comments.text', { place })}
                value={text}
                onChange={({ target }) => edit(comment, target.value)}
                className="mt-1 block field-sizing-content max-h-32 w-full resize-y rounded-lg border border-border bg-card px-2.5 py-1.5 text-[13px] leading-snug focus-visible:outline-offset-0"
              />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
