import { fill } from './part.js';

/** The service's name of a browser, `Firefox on Windows`, in the form of `text` with `{browser}` and `{system}`. */
export function browserWords(name: string, text: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  if (browser === undefined || system === undefined) return name;
  return fill(text, { browser, system });
}

/** The kind of device, derived from the service's name of the browser. */
export function deviceOf(browser: string | null): 'phone' | 'tablet' | 'computer' {
  const [, system] = / on (\w+)$/.exec(browser ?? '') ?? [];
  if (system === 'iPad') return 'tablet';
  return system === 'iPhone' || system === 'Android' ? 'phone' : 'computer';
}
