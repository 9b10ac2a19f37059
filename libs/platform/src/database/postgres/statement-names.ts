import { hash } from 'node:crypto';

const DIGEST_CHARACTERS = 8;

const names = new Map<string, string>();

/**
 * Has connections of Postgres prepare a text under a name. A part of it only this text has: where a pooler shares
 * connections, a replica of another version has prepared on them too.
 */
export function nameText(text: string, name: string): void {
  names.set(text, `${name} ${hash('sha256', text).slice(0, DIGEST_CHARACTERS)}`);
}

export const nameOfText = (text: string): string | undefined => names.get(text);
