import { fill } from './part.js';

/** What the service calls a browser, `Firefox on Windows`, as `text` has `{browser}` and `{system}`. */
export function browserWords(name: string, text: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  if (browser === undefined || system === undefined) return name;
  return fill(text, { browser, system });
}
