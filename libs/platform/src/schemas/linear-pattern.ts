import { RE2JS } from 're2js';

/**
 * A regular expression of a stranger. V8 reads it, and so decides whether it is one. RE2 runs it: V8 compiles
 * `[^\p{L}]{16}` and the like for seconds to minutes, and does not let its thread be ended meanwhile.
 */
export class LinearPattern extends RegExp {
  /** How often one was asked that RE2 has no part for, such as those that look ahead, since the last reset. */
  static presumptions = 0;
  private static presume: (nth: number) => boolean = () => true;
  private static readonly compiled = new Map<string, RE2JS | undefined>();

  /** @param presume what such a pattern is taken to say */
  static reset(presume: (nth: number) => boolean) {
    LinearPattern.presume = presume;
    LinearPattern.presumptions = 0;
    LinearPattern.compiled.clear();
  }

  override test(text: string): boolean {
    const pattern = LinearPattern.of(this.source);
    if (pattern) return pattern.test(text);
    LinearPattern.presumptions += 1;
    return LinearPattern.presume(LinearPattern.presumptions);
  }

  private static of(source: string) {
    const { compiled } = LinearPattern;
    if (!compiled.has(source)) compiled.set(source, compile(source));
    return compiled.get(source);
  }
}

function compile(source: string) {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}
