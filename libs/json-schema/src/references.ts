import { isJsonObject, type JsonObject } from '#libs/json';
import { isSchema, memberOf, type Schema } from './misfit.js';

const ANCHORS = ['$anchor', '$dynamicAnchor'];

/** Where the `$ref`s of a schema lead: to itself, never out of it. */
export class References {
  private readonly found = new Map<string, Schema | undefined>();
  private places: ReadonlyMap<string, JsonObject> | undefined;

  constructor(private readonly root: JsonObject) {}

  /** Undefined when it leads nowhere. */
  find(reference: string): Schema | undefined {
    if (!this.found.has(reference)) this.found.set(reference, this.look(reference));
    return this.found.get(reference);
  }

  private look(reference: string): Schema | undefined {
    const [id = '', fragment = ''] = reference.split('#', 2);
    const document = id === '' ? this.root : this.named(id);
    if (!document || fragment === '') return document;
    const target = fragment.startsWith('/')
      ? atPointer(document, fragment)
      : this.named(`#${fragment}`);
    return isSchema(target) ? target : undefined;
  }

  private named(name: string) {
    this.places ??= placesIn(this.root);
    return this.places.get(name);
  }
}

/** RFC 6901 §6, as the fragment of a URI. */
function atPointer(document: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inner, step) => memberOf(inner, step), document);
}

function decoded(step: string) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Whatever in a schema has a name of its own: by `$id`, or by `#` and its anchor. The first one counts. */
function placesIn(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const places = new Map<string, JsonObject>();
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    rest.push(...Object.values(next).toReversed());
    if (!isJsonObject(next)) continue;
    const id = memberOf(next, '$id');
    const names = ANCHORS.map((anchor) => memberOf(next, anchor));
    const own = [id, ...names.map((name) => (typeof name === 'string' ? `#${name}` : undefined))];
    for (const name of own) {
      if (typeof name === 'string' && !places.has(name)) places.set(name.replace(/#$/, ''), next);
    }
  }
  return places;
}
