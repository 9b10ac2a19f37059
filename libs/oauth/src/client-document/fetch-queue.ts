import { Semaphore, timeLimit } from '#libs/platform';
import { ClientDocumentError } from './client-document.js';

export interface FetchLimits {
  readonly atOnce: number;
  readonly atOncePerVisitor: number;
  readonly atOncePerHost: number;
  /** Counts every caller that waits for a turn or for a result, also those with the same key. */
  readonly maxAsking: number;
  readonly maxAskingPerVisitor: number;
  /** How long a caller waits for its turn before it is refused. */
  readonly patienceMs: number;
}

/** What is fetched, from where and for whom. Tasks with the same key share one fetch. */
interface FetchTask {
  readonly key: string;
  readonly host: string;
  readonly visitor: string;
}

interface Ask {
  readonly task: FetchTask;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly end: AbortController;
}

const overload = () =>
  new ClientDocumentError('too many documents are being fetched already', { transient: true });

/**
 * Bounds the concurrent fetches in total, per visitor and per host. The next turn goes to the visitor with the fewest
 * running ones, then to the one whose last turn is the longest ago. Fetches with the same key run once.
 */
export class FetchQueue {
  private readonly turns: Semaphore;
  private readonly asks = new Set<Ask>();
  private readonly underWay = new Map<string, FetchTask>();

  constructor(private readonly limits: FetchLimits) {
    this.turns = new Semaphore({ inAll: limits.atOnce, perKey: limits.atOncePerVisitor });
  }

  /** The result of the fetch, or of a running one. Throws ClientDocumentError when too many wait, or too long. */
  async run(task: FetchTask, fetch: () => Promise<unknown>): Promise<unknown> {
    this.makeRoomFor(task.visitor);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const ask = { task, resolve, reject, end: new AbortController() };
    this.asks.add(ask);
    void this.begin(ask, fetch);
    return promise;
  }

  /** When the queue is full, refuses the latest request of the visitor with the most, or this one. */
  private makeRoomFor(visitor: string) {
    const { maxAsking, maxAskingPerVisitor } = this.limits;
    const lines = Map.groupBy(this.asks, ({ task }) => task.visitor);
    const own = lines.get(visitor)?.length ?? 0;
    if (own >= maxAskingPerVisitor) throw overload();
    if (this.asks.size < maxAsking) return;
    const [longest = []] = [...lines.values()].toSorted((a, b) => b.length - a.length);
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) throw overload();
    this.refuse(last);
  }

  private async begin(ask: Ask, fetch: () => Promise<unknown>) {
    const { task, end } = ask;
    const mayBegin = () => this.mayBegin(task);
    const signal = timeLimit(this.limits.patienceMs, end.signal);
    while (await this.turns.acquire(task.visitor, signal, mayBegin)) {
      if (!signal.aborted && mayBegin()) await this.fetch(task, fetch);
      this.turns.release(task.visitor);
    }
    if (!end.signal.aborted && !this.underWay.has(task.key)) this.refuse(ask);
  }

  /** Settles every caller with the same key, and never rejects. */
  private async fetch(task: FetchTask, fetch: () => Promise<unknown>) {
    this.underWay.set(task.key, task);
    const [result] = await Promise.allSettled([fetch()]);
    this.underWay.delete(task.key);
    for (const ask of this.asks) {
      if (ask.task.key !== task.key) continue;
      this.forget(ask);
      if (result.status === 'fulfilled') ask.resolve(result.value);
      else ask.reject(result.reason);
    }
  }

  private mayBegin({ key, host }: FetchTask) {
    if (this.underWay.has(key)) return false;
    const ofHost = [...this.underWay.values()].filter((task) => task.host === host);
    return ofHost.length < this.limits.atOncePerHost;
  }

  private refuse(ask: Ask) {
    this.forget(ask);
    ask.reject(overload());
  }

  private forget(ask: Ask) {
    this.asks.delete(ask);
    ask.end.abort();
  }
}
