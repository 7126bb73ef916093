import type { Failure } from '@/api/types';
import { type Language, language } from '@/lib/preferences';
import { useStore } from '@/lib/store';
import { en, type Message, type MessageKey, type Messages } from './en';
import { vi } from './vi';

export const catalogues: Record<Language, Messages> = { en, vi };

type Values = Record<string, string | number>;

export function format(template: string, values: Values = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

type LabelGroup = 'state' | 'type' | 'role' | 'argument' | 'severity' | 'status' | 'change';

export interface Translate {
  (key: MessageKey, values?: Values): string;
  /** The label of a name of the contract, such as a state; the name itself if this app does not know it. */
  label(group: LabelGroup, name: string): string;
  failure(failure: Failure): string;
  /** The time, with the date unless it is today. */
  time(iso: string): string;
  dateTime(iso: string): string;
}

export function translator(lang: Language): Translate {
  const messages = catalogues[lang];
  const timeOnly = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const dateAndTime = new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const full = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });

  const plurals = new Intl.PluralRules(lang);

  function template(message: Message, values: Values = {}): string {
    if (typeof message === 'string') return message;
    return message[plurals.select(Number(values.n))] ?? message.other;
  }
  const translate = (key: MessageKey, values?: Values) => format(template(messages[key], values), values);
  const lookup = (key: string): string | undefined =>
    Object.hasOwn(messages, key) ? translate(key as MessageKey) : undefined;

  return Object.assign(translate, {
    label: (group: string, name: string) => lookup(`${group}.${name}`) ?? name,
    failure: (failure: Failure) => lookup(`error.${failure.code}`) ?? failure.message,
    time(iso: string) {
      const date = new Date(iso);
      return (isToday(date) ? timeOnly : dateAndTime).format(date);
    },
    dateTime: (iso: string) => full.format(new Date(iso)),
  });
}

function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString();
}

/** Translators are expensive to make, and many components of a list need one. */
const translators = new Map<Language, Translate>();

export function useT(): Translate {
  const lang = useStore(language);
  const made = translators.get(lang) ?? translator(lang);
  translators.set(lang, made);
  return made;
}
