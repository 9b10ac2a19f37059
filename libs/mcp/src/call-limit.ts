import { RefusalError } from '#libs/accounts';
import { Semaphore, isJsonObject } from '#libs/platform';
import { JsonRpcError } from './errors.js';

/** Per account and replica; a batch counts once for each of its messages. */
const MAX_CALLS = 32;
/** Open `subscriptions/listen` streams. */
const MAX_LISTENING = 8;
/** Messages that are read while all call slots are taken: one of them may cancel a call. */
const MAX_NOTES = 2;
const RETRY_AFTER_SECONDS = 1;
const CALLS = `${MAX_CALLS} calls are under way`;

/** Limits the concurrent requests per account on this replica; accounts do not share slots. */
export class CallLimiter {
  private readonly calls = new Semaphore({ perKey: MAX_CALLS });
  private readonly listening = new Semaphore({ perKey: MAX_LISTENING });
  private readonly notes = new Semaphore({ perKey: MAX_NOTES });

  /** The slot of a request, which has to be released in every case. @throws RefusalError 429 */
  acquire(account: string): CallSlots {
    const { calls, listening, notes } = this;
    const first = [calls, notes].find((semaphore) => semaphore.tryAcquire(account));
    if (!first) throw full(CALLS);
    return new CallSlots(account, { calls, listening, first });
  }
}

interface Semaphores {
  readonly calls: Semaphore;
  readonly listening: Semaphore;
  /** The semaphore that holds its slot until the message has been read. */
  readonly first: Semaphore;
}

/** One request in progress and its slots. */
export class CallSlots {
  private hold: { readonly in: Semaphore; readonly count: number };
  private atWork = 0;
  private over = false;

  constructor(
    private readonly account: string,
    private readonly semaphores: Semaphores,
  ) {
    this.hold = { in: semaphores.first, count: 1 };
  }

  /** Whether they were released: the client no longer waits for an answer. */
  get isOver(): boolean {
    return this.over;
  }

  /** Keeps one of its slots until `work` settles, even if its client no longer waits for it. */
  async keepFor(work: Promise<unknown>): Promise<void> {
    this.atWork += 1;
    await work;
    this.atWork -= 1;
    if (this.over) this.hold.in.release(this.account);
  }

  /**
   * Takes the slots that its message needs, once the message has been read.
   * @throws RefusalError 429, and JsonRpcError for a batch that is larger than the limit
   */
  takeFor(body: unknown): void {
    const { calls, listening, first } = this.semaphores;
    if (Array.isArray(body)) this.move(calls, CALLS, Math.max(1, body.length));
    else if (isListening(body)) this.move(listening, `${MAX_LISTENING} streams are open`);
    else if (first !== calls && !isNote(body)) this.move(calls, CALLS);
  }

  /** Releases its slots, except those of work that continues; calling it again does nothing. */
  release(): void {
    if (this.over) return;
    this.over = true;
    this.hold.in.release(this.account, this.hold.count - this.atWork);
  }

  private move(to: Semaphore, most: string, count = 1) {
    if (this.over) return;
    if (count > MAX_CALLS) throw new JsonRpcError(`a batch has at most ${MAX_CALLS} messages`);
    this.hold.in.release(this.account, this.hold.count);
    const isHeld = to.tryAcquire(this.account, count);
    this.hold = { in: to, count: isHeld ? count : 0 };
    if (!isHeld) throw full(most);
  }
}

function full(most: string) {
  const message = `${most} for this account already; wait for one to end`;
  return new RefusalError(429, message, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}

/** A notification, which gets no answer (JSON-RPC 2.0 §4.1). */
const isNote = (body: unknown) => isJsonObject(body) && !Object.hasOwn(body, 'id');

const isListening = (body: unknown) =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
