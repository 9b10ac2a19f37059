import type { JsonObject } from '../json/json-object.js';

/** A JSON Schema, or a part of one. */
export type Schema = boolean | JsonObject;

/** Names of members and indexes of elements, from the root of a value. */
export type Path = readonly (string | number)[];

/** The first thing in a value that a schema does not take. */
export interface Misfit {
  /** Where it is, or would have to be. */
  readonly path: Path;
  /** The keyword that does not hold there; `false` is the schema that takes nothing. */
  readonly keyword: string;
  /** What is to be there: for `required` the schema of what is missing, else the one of the keyword. */
  readonly schema: Schema;
}

/** What an object has of its own under a name, be it `__proto__`. */
export const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as JsonObject)[name]
    : undefined;
