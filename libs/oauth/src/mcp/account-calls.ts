import { RefusalError } from '#libs/accounts';
import { isJsonObject } from '#libs/json';
import { JsonRpcError } from './json-rpc.error.js';

/** Of one account on one replica; a batch counts as its messages. */
const MAX_CALLS = 32;
/** Streams that only listen. */
const MAX_LISTENING = 8;
/** Messages that are read while all calls are taken: one of them may cancel a call. */
const MAX_NOTES = 2;
const RETRY_AFTER_SECONDS = 1;

/** What accounts have under way on this replica; each has places of its own, which no other can take. */
export class AccountCalls {
  private readonly calls = new PlacesOfAccounts(MAX_CALLS, 'calls are under way');
  private readonly listening = new PlacesOfAccounts(MAX_LISTENING, 'streams are open');
  private readonly notes = new PlacesOfAccounts(MAX_NOTES, 'messages are read beside all calls');

  /** Begins a call; it has to be ended, come what may. @throws RefusalError 429 */
  begin(account: string): AccountCall {
    const { calls, listening, notes } = this;
    const first = calls.isFull(account) && !notes.isFull(account) ? notes : calls;
    first.take(account, 1);
    return new AccountCall(account, { calls, listening, first });
  }
}

interface Places {
  readonly calls: PlacesOfAccounts;
  readonly listening: PlacesOfAccounts;
  /** Where it has its place until it is known what it is. */
  readonly first: PlacesOfAccounts;
}

/** One request under way. */
export class AccountCall {
  private hold: { readonly in: PlacesOfAccounts; readonly count: number };
  private atWork = 0;
  private over = false;

  constructor(
    private readonly account: string,
    private readonly places: Places,
  ) {
    this.hold = { in: places.first, count: 1 };
  }

  /** Whether it was ended: nobody waits for its answer any more. */
  get isOver(): boolean {
    return this.over;
  }

  /** Keeps one of its places until `work` is over, even where nobody waits for that any more. */
  async keepFor(work: Promise<unknown>): Promise<void> {
    this.atWork += 1;
    await work;
    this.atWork -= 1;
    if (this.over) this.hold.in.free(this.account, 1);
  }

  /**
   * Takes the places that its message needs, now that it is known.
   * @throws RefusalError 429, and JsonRpcError for a batch that could never have its places
   */
  becomes(body: unknown): void {
    const { calls, listening, first } = this.places;
    if (Array.isArray(body)) this.move(calls, Math.max(1, body.length));
    else if (isListening(body)) this.move(listening, 1);
    else if (first !== calls && !isNote(body)) this.move(calls, 1);
  }

  /** Gives its places back, but for those of work that goes on; a second time does nothing. */
  end(): void {
    if (this.over) return;
    this.over = true;
    this.hold.in.free(this.account, this.hold.count - this.atWork);
  }

  private move(places: PlacesOfAccounts, count: number) {
    if (this.over) return;
    if (count > MAX_CALLS) throw new JsonRpcError(`a batch has at most ${MAX_CALLS} messages`);
    this.hold.in.free(this.account, this.hold.count);
    this.hold = { in: places, count: 0 };
    places.take(this.account, count);
    this.hold = { in: places, count };
  }
}

class PlacesOfAccounts {
  private readonly taken = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly what: string,
  ) {}

  isFull(account: string) {
    return this.taken.get(account) === this.most;
  }

  take(account: string, count: number) {
    const taken = (this.taken.get(account) ?? 0) + count;
    if (taken > this.most) throw this.full();
    this.taken.set(account, taken);
  }

  free(account: string, count: number) {
    const taken = (this.taken.get(account) ?? 0) - count;
    if (taken > 0) this.taken.set(account, taken);
    else this.taken.delete(account);
  }

  private full() {
    const message = `${this.most} ${this.what} for this account already; wait for one to end`;
    return new RefusalError(429, message, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
  }
}

/** Nobody waits for an answer to it (JSON-RPC 2.0 §4.1). */
const isNote = (body: unknown) => isJsonObject(body) && !Object.hasOwn(body, 'id');

const isListening = (body: unknown) =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
