import { hash } from 'node:crypto';

const DIGEST_CHARACTERS = 8;

const names = new Map<string, string>();

/**
 * Makes Postgres connections prepare a text under a name. Part of that name is unique to the text: behind a pooler
 * a replica of another version may have prepared statements on the same connections.
 */
export function nameText(text: string, name: string): void {
  names.set(text, `${name} ${hash('sha256', text).slice(0, DIGEST_CHARACTERS)}`);
}

export const nameOfText = (text: string): string | undefined => names.get(text);
