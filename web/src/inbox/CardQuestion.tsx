import { useState } from 'react';
import { isLong, preview } from '@/debate/longText';
import { OptionList } from '@/debate/OptionList';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { type Asked, markdownScope } from './asked';

interface CardQuestionProps {
  debateId: string;
  asked: Asked;
  active: boolean;
}

/** What is asked. The active card shows all of it on demand; its options are in the form. */
export function CardQuestion({ debateId, asked, active }: CardQuestionProps) {
  const t = useT();
  const [expanded, setExpanded] = useState(false);
  const { argument } = asked;
  const { content, seq, options = [] } = argument;
  const long = isLong(content);
  const collapsed = active ? long && !expanded : true;
  const label = t('inbox.said', { role: t.label('role', argument.role), seq });
  return (
    <>
      <p className="mb-1.5 text-xs text-muted-foreground">
        <Link href={debatePath(debateId, seq)} className="rounded tabular-nums hover:underline">
          {label}
        </Link>
      </p>
      <div className={cn(collapsed && (active ? 'collapsed' : 'excerpt'))}>
        {content === '' ? (
          <p className="text-muted-foreground italic">{t('argument.stopped')}</p>
        ) : (
          <Markdown text={collapsed ? preview(content) : content} scope={markdownScope(argument)} />
        )}
      </div>
      {active && long && (
        <Button
          variant="link"
          size="bare"
          aria-expanded={expanded}
          className="mt-2 rounded! text-[13px]"
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? t('argument.collapse') : t('argument.expand', { size: sizeLabel(content) })}
        </Button>
      )}
      {!active && options.length > 0 && <OptionList options={options} compact />}
    </>
  );
}
