const CHARACTERS_PER_CREDIT = 1_000;

/** Credits for screening a text: one per started 1,000 UTF-16 code units, so nothing for an empty one. */
export const screeningPrice = (text: string): number =>
  Math.ceil(text.length / CHARACTERS_PER_CREDIT);
