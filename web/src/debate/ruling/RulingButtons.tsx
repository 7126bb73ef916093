import { CheckCheck, Gavel, Lock, Undo2 } from 'lucide-react';
import type { Move } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { RulingRequest } from './rulingRequest';

interface RulingButtonsProps {
  request: RulingRequest;
  /** The one that Ctrl+Enter sends. */
  primary: Move | undefined;
  /** Whether a decision or the reason of one is missing, without which the main button sends nothing. */
  incomplete: boolean;
  /** How many issues the ruling leaves unsettled, as far as that is told. */
  unsettled: number;
  labelOf: (close: boolean) => string;
  disabled: boolean;
  /** `byKeys` where no pointer pressed it: by Ctrl+Enter, or by Enter on the button. */
  onPress: (close: boolean, byKeys: boolean) => void;
}

/** The rulings that fit: what closes stands first, whatever the main one is, so that the same place never does the opposite. */
export function RulingButtons(props: RulingButtonsProps) {
  const { request, primary, incomplete, unsettled: n, labelOf, disabled, onPress } = props;
  const t = useT();
  const { toFinish, agreed, moves } = request;
  const icon = (close: boolean) => (close ? (agreed ? CheckCheck : Lock) : toFinish ? Undo2 : Gavel);
  return (
    <div className="ml-auto flex flex-wrap justify-end gap-2 @max-lg:w-full @max-lg:[&_svg]:hidden @max-lg:[&>button]:max-w-full @max-lg:[&>button]:grow @max-lg:[&>button]:px-2! @max-lg:[&>button]:whitespace-normal!">
      {moves
        .toSorted((a, b) => Number(b.close === true) - Number(a.close === true))
        .map((move) => {
          const { close = false } = move;
          const Icon = icon(close);
          return (
            <Button
              key={String(close)}
              variant={move === primary && !incomplete ? 'primary' : 'outline'}
              data-primary={move === primary || undefined}
              disabled={disabled}
              // What is not settled is asked about by name before it is closed.
              aria-label={close && n > 0 ? `${labelOf(close)}, ${t('issues.unsettled', { n })}` : undefined}
              onClick={({ detail }) => onPress(close, detail === 0)}
            >
              <Icon aria-hidden />
              {labelOf(close)}
            </Button>
          );
        })}
    </div>
  );
}
