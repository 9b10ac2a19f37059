import { Semaphore } from '#libs/platform';
import { FetchOverloadError } from './client-document.error.js';

export interface FetchLimits {
  readonly atOnce: number;
  readonly atOncePerVisitor: number;
  readonly atOncePerHost: number;
  /** All who wait for a turn or for an answer count, also those who ask for the same. */
  readonly maxAsking: number;
  readonly maxAskingPerVisitor: number;
  /** Who has had no turn by then gets none. */
  readonly patienceMs: number;
}

/** What is fetched, from where and for whom. Tasks of one key are one and the same fetch. */
export interface FetchTask {
  readonly key: string;
  readonly host: string;
  readonly visitor: string;
}

interface Ask {
  readonly task: FetchTask;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Aborts when it waits no longer. */
  readonly end: AbortController;
}

/**
 * Bounds the fetches that run at once, in all, of one visitor and of one host. The next turn goes
 * to the visitor who has the fewest under way, and among those to the one whose last turn is the longest ago,
 * so no visitor's fetches keep others waiting for long. What several ask for is fetched once, as soon
 * as it is the turn of any of them.
 */
export class FetchQueue {
  private readonly turns: Semaphore;
  /** Those without an answer. */
  private readonly asks = new Set<Ask>();
  /** The fetches that had their turn, by key. */
  private readonly underWay = new Map<string, FetchTask>();

  constructor(private readonly limits: FetchLimits) {
    this.turns = new Semaphore({ inAll: limits.atOnce, perKey: limits.atOncePerVisitor });
  }

  /**
   * What a fetch brings, this one or another of the same key. Throws FetchOverloadError when too many
   * ask already, or when its turn does not come for too long.
   */
  async run(task: FetchTask, fetch: () => Promise<unknown>): Promise<unknown> {
    this.makeRoomFor(task.visitor);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const ask = { task, resolve, reject, end: new AbortController() };
    this.asks.add(ask);
    void this.begin(ask, fetch);
    return promise;
  }

  /** Beyond the bound the visitor who asks for the most gives way. */
  private makeRoomFor(visitor: string) {
    const { maxAsking, maxAskingPerVisitor } = this.limits;
    const lines = Map.groupBy(this.asks, ({ task }) => task.visitor);
    const own = lines.get(visitor)?.length ?? 0;
    if (own >= maxAskingPerVisitor) throw new FetchOverloadError();
    if (this.asks.size < maxAsking) return;
    const [longest = []] = [...lines.values()].toSorted((a, b) => b.length - a.length);
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) throw new FetchOverloadError();
    this.refuse(last);
  }

  private async begin(ask: Ask, fetch: () => Promise<unknown>) {
    const { task, end } = ask;
    const mayBegin = () => this.mayBegin(task);
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(this.limits.patienceMs)]);
    while (await this.turns.acquire(task.visitor, signal, mayBegin)) {
      if (!signal.aborted && mayBegin()) await this.fetch(task, fetch);
      this.turns.release(task.visitor);
    }
    if (!end.signal.aborted && !this.underWay.has(task.key)) this.refuse(ask);
  }

  /** Answers all who ask for it, and never fails. */
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
    ask.reject(new FetchOverloadError());
  }

  private forget(ask: Ask) {
    this.asks.delete(ask);
    ask.end.abort();
  }
}
