import type { ComponentProps } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { cn } from '@/ui/cn';
import { Disclosure, UNFOLDED } from '@/ui/Disclosure';
import { roleStyle, sideStyle } from '@/ui/roleStyles';
import { HIGH_SCREEN, ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { FoldedArgument } from '../FoldedArgument';
import { withoutPlanLine } from '../planLine';
import type { RulingRequest } from './rulingRequest';
import { sideText } from './sideText';

/** Of what each side says, on a screen that is small, has room or has more of it: before options, and where nothing is chosen. */
const SIDE_LINES = { small: [2, 4], roomy: [3, 6], high: [4, 6] } as const;

/** A text that is read on demand may be so long. */
const MANY_LINES = 20;

interface SaidProps {
  argument: Argument;
  /** What is shown of it: without the line of the plan, which its head has. */
  text?: string;
  /** So many lines of it; the others on demand. */
  lines?: number;
}

/** An argument outside the debate, which it leads to. */
export function Said({ argument, text, lines = MANY_LINES }: SaidProps) {
  const t = useT();
  const { debate_id, seq, role } = argument;
  const { plan, text: content } = withoutPlanLine(argument.content);
  return (
    <FoldedArgument argument={{ ...argument, content: text ?? content }} lines={lines}>
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted-foreground">
        <span className={cn('shrink-0 font-semibold', roleStyle(role).text)}>{t.label('role', role)}</span>
        <ArgumentLink debateId={debate_id} seq={seq} />
        {plan !== null && (
          <CitedDocumentLink {...plan} verbatim className="link rounded tabular-nums">
            {t('plan.title.version', { n: plan.version })}
          </CitedDocumentLink>
        )}
      </p>
    </FoldedArgument>
  );
}

interface BothSidesProps {
  request: Pick<RulingRequest, 'sides' | 'issues'>;
  /** Whether options follow, for which there has to be room. */
  beforeOptions: boolean;
}

/** What each side says on what is asked, beside each other and with the same weight. */
export function BothSides({ request, beforeOptions }: BothSidesProps) {
  const { sides, issues } = request;
  const t = useT();
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const high = useMediaQuery(HIGH_SCREEN);
  const [beside, alone] = SIDE_LINES[!roomy ? 'small' : high ? 'high' : 'roomy'];
  const lines = beforeOptions ? beside : alone;
  if (sides.length === 0) return null;
  return (
    <section
      aria-label={t('ruling.sides')}
      className={cn('grid grid-cols-1 gap-x-4 gap-y-1.5', sides.length > 1 && '@xl:grid-cols-2')}
    >
      {sides.map((argument) => (
        <div key={argument.id} data-side={argument.role} className={sideStyle(argument.role)}>
          <Said argument={argument} text={sideText(argument, issues)} lines={lines} />
        </div>
      ))}
    </section>
  );
}

type UnfoldProps = ComponentProps<typeof Disclosure>;

/** A part of a decision that is read on demand. */
export function Unfold({ children, ...line }: UnfoldProps) {
  return <Disclosure {...line}>{() => <div className={UNFOLDED}>{children()}</div>}</Disclosure>;
}
