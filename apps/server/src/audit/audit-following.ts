/** The longest delay between an event, when its row gets its id, and the write of that row. */
const LATEST_MS = 60_000;

/** Rows per statement. */
const BATCH = 500;

interface Row {
  readonly id: string;
}

interface Trail<R extends Row> {
  /** Newest first. */
  list(limit: number): Promise<{ readonly items: readonly R[]; readonly next: string | null }>;
  /** Rows with a later id, the earliest first. */
  listLater(id: string, limit: number): Promise<readonly R[]>;
}

/**
 * Yields the newest rows, the oldest of them first, and then every row that is written, each once. Replicas write
 * concurrently, so a row may appear after rows with later ids: each round reads the rows of the last minute again.
 * Goes on until `pause` resolves to false.
 */
export async function* follow<R extends Row>(
  trail: Trail<R>,
  limit: number,
  pause: () => Promise<boolean>,
): AsyncGenerator<R> {
  const { items, next } = await trail.list(limit);
  yield* items.toReversed();
  const seen = new Set(items.map(({ id }) => id));
  let leftOutUpTo = next ?? '';
  do {
    const floor = firstIdOf(Date.now() - LATEST_MS);
    for await (const row of laterThan(trail, floor)) {
      if (!seen.has(row.id) && row.id > leftOutUpTo) yield row;
      seen.add(row.id);
    }
    for (const id of seen) if (id <= floor) seen.delete(id);
    leftOutUpTo = '';
  } while (await pause());
}

async function* laterThan<R extends Row>(trail: Trail<R>, from: string): AsyncGenerator<R> {
  let after = from;
  let batch: readonly R[];
  do {
    batch = await trail.listLater(after, BATCH);
    yield* batch;
    after = batch.at(-1)?.id ?? after;
  } while (batch.length === BATCH);
}

/** The lower bound of all version 7 UUIDs from that millisecond on (RFC 9562 §5.7). */
function firstIdOf(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
