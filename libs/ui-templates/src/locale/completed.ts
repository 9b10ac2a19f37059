import { isCounted } from './counted.js';

interface Completed {
  readonly texts: unknown;
  /** The keys that were taken from the others, each as far up as all below it was. */
  readonly lacking: readonly string[];
}

/** Texts with others in place of those that they lack. A text for a number is whole, whichever forms it has. */
export function completed(texts: unknown, others: unknown, place = ''): Completed {
  if (texts === undefined) return { texts: others, lacking: [place] };
  if (typeof others !== 'object' || others === null || isCounted(others)) {
    return { texts, lacking: [] };
  }
  const below = Object.entries(others).map(([key, other]) => {
    const text = Object(texts)[key] as unknown;
    return [key, completed(text, other, place === '' ? key : `${place}.${key}`)] as const;
  });
  return {
    texts: {
      ...(texts as object),
      ...Object.fromEntries(below.map(([key, { texts: whole }]) => [key, whole])),
    },
    lacking: below.flatMap(([, { lacking }]) => lacking),
  };
}
