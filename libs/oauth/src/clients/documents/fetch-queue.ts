import { FetchOverloadError } from './client-document.error.js';

export interface FetchLimits {
  readonly atOnce: number;
  readonly atOncePerVisitor: number;
  readonly atOncePerHost: number;
  /** Whoever waits for a turn or for the answer counts, also those who want one and the same. */
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
  readonly fetch: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets so many fetches run at once, so many of one visitor and so many of one host. The next turn goes
 * to the visitor who has the fewest under way, and among those to who has waited longest since their
 * last, so nobody's fetches keep others waiting for long. What several ask for is fetched once, as soon
 * as it is the turn of any of them.
 */
export class FetchQueue {
  /** Asks without an answer, by visitor; whose turn is next comes first. */
  private readonly asks = new Map<string, readonly Ask[]>();
  /** The fetches that had their turn, by key, for the visitor whose turn it was. */
  private readonly underWay = new Map<string, FetchTask>();

  constructor(private readonly limits: FetchLimits) {}

  /**
   * What a fetch brings, this one or another of the same key. Throws FetchOverloadError when too many
   * ask already, or when it is nobody's turn for too long.
   */
  async run(task: FetchTask, fetch: () => Promise<unknown>): Promise<unknown> {
    this.makeRoomFor(task.visitor);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const ask = { task, fetch, resolve, reject };
    this.asks.set(task.visitor, [...this.asksOf(task.visitor), ask]);
    const giveUp = setTimeout(() => this.giveUp(ask), this.limits.patienceMs);
    this.begin();
    return promise.finally(() => clearTimeout(giveUp));
  }

  /** Beyond the bound whoever asks for the most gives way. */
  private makeRoomFor(visitor: string) {
    const { maxAsking, maxAskingPerVisitor } = this.limits;
    const own = this.asksOf(visitor).length;
    if (own >= maxAskingPerVisitor) throw new FetchOverloadError();
    const lines = [...this.asks.values()];
    if (lines.reduce((sum, { length }) => sum + length, 0) < maxAsking) return;
    const longest = lines.reduce((a, b) => (b.length > a.length ? b : a));
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) throw new FetchOverloadError();
    this.refuse(last);
  }

  private begin() {
    for (let next = this.next(); next; next = this.next()) {
      const { task, fetch } = next;
      this.underWay.set(task.key, task);
      const line = this.asksOf(task.visitor);
      this.asks.delete(task.visitor);
      this.asks.set(task.visitor, line);
      fetch().then(
        (value) => this.settle(task.key, ({ resolve }) => resolve(value)),
        (error: unknown) => this.settle(task.key, ({ reject }) => reject(error)),
      );
    }
  }

  private next(): Ask | undefined {
    if (this.underWay.size >= this.limits.atOnce) return undefined;
    let fewest = this.limits.atOncePerVisitor;
    let next: Ask | undefined;
    for (const [visitor, line] of this.asks) {
      const count = this.countUnderWay((task) => task.visitor === visitor);
      const ask = count < fewest ? line.find(({ task }) => this.mayBegin(task)) : undefined;
      if (ask) [next, fewest] = [ask, count];
    }
    return next;
  }

  private mayBegin({ key, host }: FetchTask) {
    if (this.underWay.has(key)) return false;
    return this.countUnderWay((task) => task.host === host) < this.limits.atOncePerHost;
  }

  private countUnderWay(counts: (task: FetchTask) => boolean) {
    return [...this.underWay.values()].filter(counts).length;
  }

  private settle(key: string, answer: (ask: Ask) => void) {
    this.underWay.delete(key);
    for (const ask of [...this.asks.values()].flat()) {
      if (ask.task.key !== key) continue;
      this.remove(ask);
      answer(ask);
    }
    this.begin();
  }

  private giveUp(ask: Ask) {
    if (!this.underWay.has(ask.task.key)) this.refuse(ask);
  }

  private refuse(ask: Ask) {
    this.remove(ask);
    ask.reject(new FetchOverloadError());
  }

  private remove(ask: Ask) {
    const line = this.asksOf(ask.task.visitor).filter((other) => other !== ask);
    if (line.length > 0) this.asks.set(ask.task.visitor, line);
    else this.asks.delete(ask.task.visitor);
  }

  private asksOf(visitor: string) {
    return this.asks.get(visitor) ?? [];
  }
}
