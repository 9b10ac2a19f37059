import type { ReplicaService } from '../replica/replica.service.js';
import type { AdministrationServices } from '../services.adapter.js';
import type { Fields, Values } from './field-values.js';

/** Everything that can be done, and who does it. */
export interface Administration extends AdministrationServices {
  readonly actor: string;
  /** The one that is asked. */
  readonly replica: ReplicaService;
}

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** What the document says of an operation. */
interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** For programs, such as `listUsers`. */
  readonly id: string;
  readonly summary: string;
  /** JSON Schema (2020-12) of the answer. */
  readonly answer: object;
  /** 200 unless something new came about. */
  readonly status?: 200 | 201;
  /** Statuses of its own, beside 400, 401, 404 and 503, and when they come. */
  readonly refusals?: Readonly<Record<number, string>>;
}

interface Definition<
  Path extends string,
  Query extends Fields,
  Body extends Fields,
> extends Described {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly run: (
    to: Administration,
    given: Readonly<Record<Placeholders<Path>, string>> & Values<Query> & Values<Body>,
  ) => Promise<object>;
}

/** One operation; `run` gets what was sent, read by `query` and `body`, and the placeholders of the path. */
export interface Operation extends Described {
  readonly path: string;
  readonly query: Fields;
  readonly body: Fields | undefined;
  readonly run: (to: Administration, given: object) => Promise<object>;
}

/** An operation whose `run` is typed by its path and fields. */
export const operation = <
  Path extends string,
  Query extends Fields = Record<never, never>,
  Body extends Fields = Record<never, never>,
>(
  definition: Definition<Path, Query, Body>,
): Operation => ({
  ...definition,
  query: definition.query ?? {},
  body: definition.body,
  run: (to, given) => definition.run(to, given as Parameters<typeof definition.run>[1]),
});
