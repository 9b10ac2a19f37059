import { RE2JS } from 're2js';
import { hasModifiers } from './expressions.js';

const MAX_PATTERN_LENGTH = 512;
/** What an instruction of a compiled pattern costs, once and for each character of a text. */
const STEPS_TO_COMPILE = 25;
const STEPS_TO_MATCH = 1 / 16;
/** What a class of thousands of characters, as `\p{L}`, costs beside. */
const STEPS_TO_READ_A_PROPERTY = 1000;

/** The regular expressions of a schema, by an engine that never goes back in a text. */
export class Patterns {
  private readonly compiled = new Map<string, RE2JS | undefined>();

  constructor(private readonly spend: (steps: number) => void) {}

  /** Undefined for a pattern that the engine has no part for, such as one that looks ahead. */
  test(pattern: string, text: string): boolean | undefined {
    const expression = this.get(pattern);
    if (!expression) return undefined;
    this.spend(expression.programSize() * (text.length + 1) * STEPS_TO_MATCH);
    return expression.test(text);
  }

  private get(pattern: string) {
    if (this.compiled.has(pattern)) return this.compiled.get(pattern);
    const properties = pattern.split(/\\p/i).length - 1;
    this.spend(properties * STEPS_TO_READ_A_PROPERTY);
    const expression = compile(pattern);
    this.compiled.set(pattern, expression);
    this.spend(STEPS_TO_COMPILE * (expression?.programSize() ?? pattern.length));
    return expression;
  }
}

function compile(pattern: string) {
  if (pattern.length > MAX_PATTERN_LENGTH || hasModifiers(pattern)) return undefined;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}
