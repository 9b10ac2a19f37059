import { isJsonObject, type JsonObject } from '#libs/json';
import type { Misfit, Path } from './misfit.js';
import { Patterns } from './patterns.js';
import { References } from './references.js';

/** Where a keyword is looked at: in which schema, and for which value. */
export interface Site {
  readonly run: Evaluation;
  readonly schema: JsonObject;
  /** What the keyword says. */
  readonly argument: unknown;
  readonly value: unknown;
  readonly path: Path;
  /** The members and elements of the value that a schema was there for. */
  readonly seen: Set<string | number>;
}

/** Whether a keyword holds; a misfit is further inside. */
export type Verdict = boolean | Misfit;
export type Rule = (site: Site) => Verdict;

/** Thrown when a check takes more steps than it may. */
export class ExhaustedError extends Error {
  override name = 'ExhaustedError';
}

/** A fifth of a microsecond each, or so. */
const MAX_STEPS = 250_000;
const MAX_LEVELS = 400;

/**
 * One check of one value against a schema that nobody vouches for. Whatever the schema says, it takes a
 * bounded number of steps, and nothing of it becomes code.
 */
export class Evaluation {
  /** How often something could not be decided, and was taken to hold. */
  doubts = 0;
  readonly patterns = new Patterns((steps) => this.spend(steps));
  readonly references: References;
  private readonly known = new Map<JsonObject, readonly [string, Rule][]>();
  private steps = 0;
  private levels = 0;

  constructor(
    root: JsonObject,
    private readonly rules: ReadonlyMap<string, Rule>,
  ) {
    this.references = new References(root);
  }

  /**
   * The first misfit; undefined when the value fits, which adds to `seen`.
   * @throws ExhaustedError
   */
  check(schema: unknown, { value, path, seen }: Omit<Site, 'run' | 'schema' | 'argument'>) {
    this.spend(10);
    if (schema === false) return { path, keyword: 'false', schema };
    if (!isJsonObject(schema)) return undefined;
    this.levels += 1;
    if (this.levels > MAX_LEVELS) throw new ExhaustedError('the schema leads too deep');
    const own = new Set<string | number>();
    const misfit = this.apply(schema, { value, path, seen: own });
    this.levels -= 1;
    if (misfit) return misfit;
    this.spend(own.size);
    for (const each of own) seen.add(each);
    return undefined;
  }

  /** As `check`, for a member or an element, whose own insides count for nobody else. */
  checkInside(schema: unknown, value: unknown, path: Path) {
    return this.check(schema, { value, path, seen: new Set() });
  }

  /** Whether a pattern is in a text; undefined when that cannot be told, which is a doubt. */
  matches(pattern: string, text: string): boolean | undefined {
    const isMatch = this.patterns.test(pattern, text);
    if (isMatch === undefined) this.doubts += 1;
    return isMatch;
  }

  /** @throws ExhaustedError */
  spend(steps: number) {
    this.steps += Math.ceil(steps);
    if (this.steps > MAX_STEPS) throw new ExhaustedError('the check takes too many steps');
  }

  private apply(schema: JsonObject, at: Omit<Site, 'run' | 'schema' | 'argument'>) {
    for (const [keyword, rule] of this.rulesOf(schema)) {
      const verdict = rule({ run: this, schema, argument: schema[keyword], ...at });
      if (verdict === true) continue;
      return verdict === false ? { path: at.path, keyword, schema } : verdict;
    }
    return undefined;
  }

  private rulesOf(schema: JsonObject) {
    const known = this.known.get(schema);
    if (known) return known;
    const own = [...this.rules].filter(([keyword]) => Object.hasOwn(schema, keyword));
    this.known.set(schema, own);
    return own;
  }
}
