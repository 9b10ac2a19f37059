import { fill } from './part.js';

/** What the service calls a browser, `Firefox on Windows`, as `text` has `{browser}` and `{system}`. */
export function browserWords(name: string, text: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  if (browser === undefined || system === undefined) return name;
  return fill(text, { browser, system });
}

/** What kind of device a browser runs on, by what the service calls it. */
export function deviceOf(browser: string | null): 'phone' | 'tablet' | 'computer' {
  const [, system] = / on (\w+)$/.exec(browser ?? '') ?? [];
  if (system === 'iPad') return 'tablet';
  return system === 'iPhone' || system === 'Android' ? 'phone' : 'computer';
}
