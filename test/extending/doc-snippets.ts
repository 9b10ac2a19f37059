import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../', import.meta.url);

export const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** Lines without indentation, because documents show a part of a class or of a test at the margin. */
export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/** The TypeScript of a document, as `linesOf` has it. */
export const snippetsIn = (text: string): string[] =>
  [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet = '']) => linesOf(snippet));
