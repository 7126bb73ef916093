import { type ComponentProps, type KeyboardEvent, useId } from 'react';
import { SEVERITIES, type Severity } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from './cn';

const LABEL = 'grid min-w-0 content-start gap-1 text-xs text-muted-foreground';
const BOX =
  'rounded-lg border border-border bg-card text-[13px] text-foreground focus-visible:outline-offset-0';
const FIELD = `${BOX} min-h-8 w-full min-w-0 px-2.5`;

interface TextFieldProps {
  label: string;
  /** Told to screen readers besides, where several fields have the same label. */
  of?: string;
  /** What is said if it is empty when the ruling is sent; null if it may be. */
  needed?: string | null;
  maxLength: number;
  value: string;
  autoFocus?: boolean;
  className: string;
  onChange: (value: string) => void;
}

/** A line of text, which wraps. It has `data-tried` once a ruling was to be sent without it. */
export function TextField(props: TextFieldProps) {
  const { label, of, needed = null, maxLength, value, autoFocus = false, className, onChange } = props;
  const missingId = useId();
  /** Enter sends the form, as from a field of one line. */
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }
  return (
    <label className={cn(LABEL, 'flex-1', className)}>
      {label}
      <textarea
        ref={(field) => field?.setCustomValidity(value.trim() === '' ? (needed ?? '') : '')}
        rows={1}
        dir="auto"
        maxLength={maxLength}
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus={autoFocus}
        aria-required={needed !== null}
        aria-label={of === undefined ? label : `${label}, ${of}`}
        aria-describedby={needed === null ? undefined : missingId}
        value={value}
        onKeyDown={onKeyDown}
        onChange={(event) => onChange(event.target.value.replaceAll('\n', ' '))}
        className={cn(
          FIELD,
          'peer block resize-none py-1.5 leading-[18px] field-sizing-content data-tried:invalid:border-destructive',
        )}
      />
      {needed !== null && (
        <span id={missingId} className="hidden text-destructive peer-data-tried:peer-invalid:block">
          {needed}
        </span>
      )}
    </label>
  );
}

interface SelectProps<T extends string> extends Omit<ComponentProps<'select'>, 'value'> {
  label: string;
  value: T;
  /** Each with its text. */
  choices: readonly (readonly [T, string])[];
  onChoose: (choice: T) => void;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, choices, className, onChoose, ...others } = props;
  return (
    <select
      aria-label={label}
      onChange={({ target }) => onChoose(target.value as T)}
      className={cn(BOX, className)}
      {...others}
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface SeveritySelectProps {
  value: Severity;
  /** One that is not offered. */
  except?: string;
  autoFocus?: boolean;
  onChange: (severity: Severity) => void;
}

export function SeveritySelect({ value, except, autoFocus = false, onChange }: SeveritySelectProps) {
  const t = useT();
  const choices = SEVERITIES.filter((severity) => severity !== except);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `Select` is the control
    <label className={LABEL}>
      {t('ruling.raise.severity')}
      <Select
        autoFocus={autoFocus}
        label={t('ruling.raise.severity')}
        value={value}
        choices={choices.map((severity) => [severity, t.label('severity', severity)])}
        onChoose={onChange}
        className="min-h-8 w-full min-w-0 px-2.5"
      />
    </label>
  );
}
