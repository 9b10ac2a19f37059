import PQueue from 'p-queue';
import { FetchOverloadError } from './client-document.error.js';

interface FetchLimits {
  readonly atOnce: number;
  readonly atOncePerHost: number;
  /** For one host, and again of all hosts together. */
  readonly maxWaiting: number;
}

/** Lets so many fetches run at once, and so many of one host; others wait, first come, first served. */
export class FetchQueue {
  private readonly all: PQueue;
  private readonly hosts = new Map<string, PQueue>();

  constructor(private readonly limits: FetchLimits) {
    this.all = new PQueue({ concurrency: limits.atOnce });
  }

  /**
   * Runs a fetch when it is its turn. Waiting for one's host comes first: it takes no place from
   * others. Throws FetchOverloadError when too many wait already, and the signal's reason as soon as
   * it aborts, whether or not the fetch has begun.
   */
  run<T>(host: string, fetch: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const inTurn = () => this.add(this.all, fetch, signal);
    return this.add(this.queueOf(host), inTurn, signal);
  }

  private async add<T>(queue: PQueue, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (queue.size >= this.limits.maxWaiting) throw new FetchOverloadError();
    return queue.add(task, { signal });
  }

  private queueOf(host: string) {
    const known = this.hosts.get(host);
    if (known) return known;
    const queue = new PQueue({ concurrency: this.limits.atOncePerHost });
    queue.once('idle', () => this.hosts.delete(host));
    this.hosts.set(host, queue);
    return queue;
  }
}
