import { v7 } from 'uuid';
import { follow } from './audit-following.js';

interface Row {
  readonly id: string;
}

describe('following the audit trail', () => {
  let rows: Row[];
  let reads: number[];

  const ids = (count: number, msecs = Date.now()) =>
    Array.from({ length: count }, () => v7({ msecs })).toSorted();
  const add = (...added: string[]) => rows.push(...added.map((id) => ({ id })));
  const sorted = () => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const trail = {
    list: async (limit: number) => {
      const newest = sorted().toReversed();
      const items = newest.slice(0, limit);
      return { items, next: newest.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
    listLater: async (after: string, limit: number) => {
      const found = sorted().filter(({ id }) => id > after);
      reads.push(Math.min(found.length, limit));
      return found.slice(0, limit);
    },
  };

  /** The rows that are yielded when `steps` run in sequence, between rounds. */
  async function seenWith(limit: number, ...steps: (() => unknown)[]): Promise<string[]> {
    const pause = async () => {
      const step = steps.shift();
      step?.();
      return step !== undefined;
    };
    const seen: string[] = [];
    for await (const { id } of follow(trail, limit, pause)) seen.push(id);
    return seen;
  }

  beforeEach(() => {
    [rows, reads] = [[], []];
  });

  it('begins with the newest rows, the oldest of them first, and goes on with each that comes', async () => {
    const [a = '', b = '', c = '', d = '', e = ''] = ids(5);
    add(a, b, c);
    const steps = [() => add(d), () => {}, () => add(e), () => {}];
    expect(await seenWith(2, ...steps)).toEqual([b, c, d, e]);
  });

  it('misses none that comes after others with later ids, and repeats none', async () => {
    const early = ids(3, Date.now() - 30_000);
    const late = ids(3);
    const [a = '', b = '', c = ''] = early;
    const [x = '', y = '', z = ''] = late;
    add(a, x);
    const steps = [() => add(b, y), () => add(c), () => add(z), () => {}];
    expect(await seenWith(1, ...steps)).toEqual([x, b, y, c, z]);
  });

  it('reads in batches, however many come at once', async () => {
    const many = ids(1201);
    expect(await seenWith(10, () => add(...many))).toEqual(many);
    expect(reads).toEqual([0, 500, 500, 201]);
  });

  it('reads nothing again that is older than a minute', async () => {
    add(...ids(50, Date.now() - 61_000));
    expect(await seenWith(100, () => {})).toHaveLength(50);
    expect(reads).toEqual([0, 0]);
  });
});
