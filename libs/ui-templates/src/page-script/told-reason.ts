import type { ScriptTexts } from '../texts/en.js';

const CHARACTER = /^(.*)(U\+[\dA-F]{4,6})(?: \([^)]+\))?, at position (\d+)(.*)$/;

/** Translates the service's English reason where the page's texts have a translation. */
export function toldReason(reason: string, { reasons }: Pick<ScriptTexts, 'reasons'>): string {
  const [, before, character = '', position = '', after] = CHARACTER.exec(reason) ?? [];
  const sentence =
    before === undefined ? reason : `${before}{character}, at position {position}${after}`;
  if (!Object.hasOwn(reasons, sentence)) return reason;
  return String(reasons[sentence])
    .replaceAll('{character}', character)
    .replaceAll('{position}', position);
}
