import type { Failure } from '@/api/types';
import { type Language, language } from '@/lib/preferences';
import { createStore, useStore } from '@/lib/store';
import { en, type Message, type MessageKey, type Messages } from './en';

/** The texts that are loaded: English is part of the page, the others come when they are chosen. */
const catalogues = createStore<{ en: Messages } & Partial<Record<Language, Messages>>>({ en });

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<Messages>> = {
  vi: async () => (await import('./vi')).vi,
};

/** Loads the texts of a language. Without them, as when the server cannot be reached, the page is in English. */
export async function loadLanguage(lang: Language): Promise<void> {
  if (lang === 'en' || catalogues.get()[lang] !== undefined) return;
  const messages = await LOADERS[lang]().catch(() => null);
  if (messages !== null) catalogues.set({ ...catalogues.get(), [lang]: messages });
}

type Values = Record<string, string | number>;

export function format(template: string, values: Values = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

type GroupOf<Key> = Key extends `${infer Group}.${string}` ? Group : never;

export type Translate = ReturnType<typeof translator>;

/** Each of `Intl`'s formatters takes milliseconds to make, so it is made when it is needed. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** English if the texts of the language are not loaded. */
export function translator(chosen: Language) {
  const lang = catalogues.get()[chosen] === undefined ? 'en' : chosen;
  const messages = catalogues.get()[lang] ?? en;
  const dates = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(lang, { ...options, hourCycle: 'h23' }));
  const dateOnly = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const relative = once(() => new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' }));
  const full = dates({ dateStyle: 'full', timeStyle: 'medium' });

  const units = new Map<string, Intl.NumberFormat>();
  function unit(unit: string, value: number): string {
    const format =
      units.get(unit) ?? new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' });
    units.set(unit, format);
    return format.format(Math.floor(value));
  }

  const compact = once(() => new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 }));
  const dollars = once(() => new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }));

  const plurals = once(() => new Intl.PluralRules(lang));

  function template(message: Message, values: Values = {}): string {
    if (typeof message === 'string') return message;
    return message[plurals().select(Number(values.n))] ?? message.other;
  }
  const translate = (key: MessageKey, values?: Values) => format(template(messages[key], values), values);
  const lookup = (key: string): string | undefined =>
    Object.hasOwn(messages, key) ? translate(key as MessageKey) : undefined;

  return Object.assign(translate, {
    /** The label of a name of the contract, such as a state; the name itself if this app does not know it. */
    label: (group: GroupOf<MessageKey>, name: string) => lookup(`${group}.${name}`) ?? name,
    /** A text that there may not be. */
    find: lookup,
    /** What a word of the trade means. */
    explain: (name: string) => lookup(`term.${name}`),
    failure(failure: Failure) {
      const message = lookup(`error.${failure.code}`) ?? failure.message;
      return failure.log_id === undefined
        ? message
        : `${message} ${translate('error.logId', { id: failure.log_id })}`;
    },
    /** How long ago a moment was, such as "5 min ago"; the date where that is longer ago than a month. */
    ago(iso: string, now: number) {
      const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
      if (seconds < 60) return relative().format(0, 'second');
      if (seconds < 3600) return relative().format(-Math.floor(seconds / 60), 'minute');
      if (seconds < 2 * 86_400) return relative().format(-Math.floor(seconds / 3600), 'hour');
      if (seconds < 31 * 86_400) return relative().format(-Math.floor(seconds / 86_400), 'day');
      return dateOnly().format(new Date(iso));
    },
    dateTime: (iso: string) => full().format(new Date(iso)),
    /** A large number, such as "12.3K". */
    count: (n: number) => compact().format(n),
    /** Millionths of a US dollar as dollars. */
    cost: (microusd: number) => dollars().format(microusd / 1_000_000),
    /** A span of time in its largest unit, such as "5 min". */
    duration(ms: number) {
      const seconds = Math.max(0, ms / 1000);
      if (seconds < 60) return unit('second', seconds);
      if (seconds < 3600) return unit('minute', seconds / 60);
      return seconds < 2 * 86_400 ? unit('hour', seconds / 3600) : unit('day', seconds / 86_400);
    },
  });
}

/** Translators are expensive to make, and many components of a list need one. */
const translators = new Map<Language, Translate>();

export function useT(): Translate {
  const chosen = useStore(language);
  const lang = useStore(catalogues)[chosen] === undefined ? 'en' : chosen;
  const made = translators.get(lang) ?? translator(lang);
  translators.set(lang, made);
  return made;
}
