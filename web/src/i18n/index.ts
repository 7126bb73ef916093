import { useMemo } from 'react';
import type { Failure } from '@/api/types';
import { type Language, language } from '@/shell/prefs';
import { useStore } from '@/shell/store';
import { en, type MessageKey, type Messages } from './en';
import { vi } from './vi';

export const catalogues: Record<Language, Messages> = { en, vi };

type Values = Record<string, string | number>;

export function format(template: string, values: Values = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export interface Translate {
  (key: MessageKey, values?: Values): string;
  language: Language;
  /** A word for something the server names; unknown names are shown as they are. */
  word(group: 'state' | 'type' | 'role' | 'argument', name: string): string;
  failure(failure: Failure): string;
  time(iso: string): string;
  moment(iso: string): string;
}

export function translator(lang: Language): Translate {
  const messages = catalogues[lang];
  const clock = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const dayAndClock = new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const full = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });

  const lookup = (key: string): string | undefined =>
    Object.hasOwn(messages, key) ? messages[key as MessageKey] : undefined;

  return Object.assign((key: MessageKey, values?: Values) => format(messages[key], values), {
    language: lang,
    word: (group: string, name: string) => lookup(`${group}.${name}`) ?? name,
    failure: (failure: Failure) => lookup(`error.${failure.code}`) ?? failure.message,
    time(iso: string) {
      const date = new Date(iso);
      return (isToday(date) ? clock : dayAndClock).format(date);
    },
    moment: (iso: string) => full.format(new Date(iso)),
  });
}

function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString();
}

export function useT(): Translate {
  const lang = useStore(language);
  return useMemo(() => translator(lang), [lang]);
}
