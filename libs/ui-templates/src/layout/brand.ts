/** How a team's pages look; all of it is trusted and goes into the page as it is. */
export interface Brand {
  /** CSS after the built-in one. Its variables, `--accent` and the like, are meant to be set anew. */
  readonly style?: string;
  /** SVG markup beside the service's name, in place of the gate. */
  readonly emblem?: string;
}

/** Throws TypeError when the style would end its element, which no CSS needs to do. */
export function insideStyleElement(style: string): string {
  if (/<\/|<!--/.test(style)) throw new TypeError('not fit for a style element');
  return style;
}
