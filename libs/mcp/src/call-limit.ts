import { RefusalError } from '#libs/accounts';
import { HeldBytes, isJsonObject, Semaphore, whileWaiting } from '#libs/platform';
import { JsonRpcError } from './errors.js';

/** Per account and replica; a batch counts once for each of its messages. */
const MAX_CALLS = 32;
/** Calls that wait for their person, who has 20 requests at most: each looks for the decision again and again. */
const MAX_WAITING = 64;
/**
 * A longer message waits to be read. One that takes more once it is parsed counts in `parsed`, and has a place for each
 * of these where its call waits for a person.
 */
const SHORT_BYTES = 64 * 1024;
/** Longer messages that are being read or wait to be parsed; others stay with their senders. */
const LONG = { perKey: 4, inAll: 64 };
/** A message that comes more slowly no longer counts as long: it would keep the others waiting. */
const READ_MS = 1_000;
/** Open `subscriptions/listen` streams. */
const MAX_LISTENING = 8;
/** Messages that are read while all call slots are taken: one of them may cancel a call. */
const MAX_NOTES = 2;
const RETRY_AFTER_SECONDS = 1;
/** At most. */
const BYTES_OF_CHARACTER = 2;
const CALLS = `${MAX_CALLS} calls are under way`;

export class CallLimiter {
  readonly calls = new Semaphore({ perKey: MAX_CALLS });
  readonly waiting = new Semaphore({ perKey: MAX_WAITING });
  readonly long = new Semaphore(LONG);
  /** What the messages of calls under way, and the answers that a batch has so far, take in memory. */
  readonly parsed = new HeldBytes();
  readonly listening = new Semaphore({ perKey: MAX_LISTENING });
  readonly notes = new Semaphore({ perKey: MAX_NOTES });

  /**
   * The slot of a request, which has to be released in every case. `cut` ends the request when the memory that its
   * message takes is for others. @throws RefusalError 429
   */
  acquire(account: string, cut: () => void): CallSlots {
    for (const semaphore of [this.calls, this.notes]) {
      if (semaphore.tryAcquire(account)) return new CallSlots(account, this, semaphore, cut);
    }
    throw full(CALLS);
  }
}

export class CallSlots {
  /** Whether they were released: the client no longer waits for an answer. */
  isOver = false;
  private held: Semaphore;
  private count = 1;
  private atWork = 0;
  private isAway = false;
  private places = 1;
  private isLong = false;
  private bytes = 0;
  private reading: NodeJS.Timeout | undefined;
  private gone: AbortController | undefined;

  constructor(
    private readonly account: string,
    private readonly limiter: CallLimiter,
    private readonly first: Semaphore,
    readonly cut: () => void,
  ) {
    this.held = first;
  }

  /** Keeps one of its slots until `work` settles, even if its client no longer waits for it. */
  async keepFor(work: Promise<unknown>): Promise<void> {
    this.atWork += 1;
    await work;
    this.atWork -= 1;
    if (this.isOver && !this.isAway) this.held.release(this.account);
  }

  /** What a message waits for before it is read; undefined where it may be read now. */
  turnToRead(contentLength: string | undefined): (() => Promise<void>) | undefined {
    if (Number(contentLength) <= SHORT_BYTES) return undefined;
    const { long } = this.limiter;
    if (long.tryAcquire(this.account)) return this.beginReading();
    const { signal } = (this.gone = new AbortController());
    return async () => {
      if (await whileWaiting(() => long.acquire(this.account, signal))) this.beginReading();
    };
  }

  /** The message is whole, and counts as long until it is parsed. */
  isRead(): void {
    clearTimeout(this.reading);
  }

  /**
   * Takes the slots for a message that was read and parsed, and takes `weight` bytes of memory. @throws RefusalError 429,
   * 503; JsonRpcError for too large a batch
   */
  takeFor(body: unknown, weight = 0): void {
    this.endReading();
    this.places = Math.max(1, Math.ceil(weight / SHORT_BYTES));
    if (this.places > 1 && !this.hold(weight)) {
      const message = 'the messages of calls under way take too much memory; wait for one to end';
      throw new RefusalError(503, message, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
    }
    const { calls, listening } = this.limiter;
    if (Array.isArray(body)) this.move(calls, CALLS, Math.max(1, body.length));
    else if (isListening(body)) this.move(listening, `${MAX_LISTENING} streams are open`);
    else if (this.first !== calls && !isNote(body)) this.move(calls, CALLS);
  }

  /** Whether there is memory to keep this text, too, until the slots are released. */
  keep(text: string): boolean {
    return this.hold(text.length * BYTES_OF_CHARACTER);
  }

  /** Gives the slot of a single call to others, for as long as its person is asked; false when too many wait. */
  leave(): boolean {
    if (this.isOver) return true;
    const { waiting } = this.limiter;
    if (!waiting.tryAcquire(this.account, this.places)) return false;
    this.held.release(this.account, this.count);
    this.held = waiting;
    this.count = this.places;
    return true;
  }

  /** Takes a slot again, for the work; false when all are taken. */
  enter(): boolean {
    if (this.isOver) return true;
    this.held.release(this.account, this.count);
    this.held = this.limiter.calls;
    this.isAway = !this.held.tryAcquire(this.account);
    this.count = this.isAway ? 0 : 1;
    return !this.isAway;
  }

  /** Releases its slots, except those of work that continues; calling it again does nothing. */
  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.gone?.abort();
    this.endReading();
    if (this.bytes > 0) this.limiter.parsed.set(this.account, this, 0);
    if (!this.isAway) this.held.release(this.account, this.count - this.atWork);
  }

  private hold(more: number): boolean {
    if (this.isOver) return true;
    const bytes = this.bytes + more;
    if (!this.limiter.parsed.grow(this.account, this, bytes)) return false;
    this.bytes = bytes;
    return true;
  }

  private beginReading(): undefined {
    this.isLong = true;
    if (this.isOver) this.endReading();
    else this.reading = setTimeout(() => this.endReading(), READ_MS).unref();
  }

  private endReading() {
    clearTimeout(this.reading);
    if (this.isLong) this.limiter.long.release(this.account);
    this.isLong = false;
  }

  private move(to: Semaphore, most: string, count = 1) {
    if (this.isOver) return;
    if (count > MAX_CALLS) throw new JsonRpcError(`a batch has at most ${MAX_CALLS} messages`);
    this.held.release(this.account, this.count);
    const isHeld = to.tryAcquire(this.account, count);
    this.held = to;
    this.count = isHeld ? count : 0;
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
