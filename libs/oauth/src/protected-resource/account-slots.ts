import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from '#libs/platform';
import { hashSecret } from '#libs/accounts';

/** Of one account. */
const AT_ONCE = 4;
/** What takes longer waits for something, and keeps nobody busy. */
const LONG_MS = 20;
const MAX_REMEMBERED = 10_000;

interface Queue {
  open: number;
  readonly waiting: Set<Slot>;
}

interface SlotListeners {
  readonly forget: () => void;
  readonly remember: (account: string) => unknown;
}

/**
 * Lets an account begin few requests at a time, before anything is done for them: whatever it sends,
 * a request of another account finds few of it in front of it, here and in the database. One that
 * takes longer than 20 ms makes room for the next. Of a token that was not seen lately nobody knows the
 * account; it counts by itself.
 */
export class AccountSlots {
  private readonly queues = new Map<string, Queue>();
  private readonly accounts = new LRUCache<string, string>(roomAsNeeded(MAX_REMEMBERED));

  /** To be left, come what may. */
  enter(token: string): Slot {
    const name = hashSecret(token);
    const account = this.accounts.get(name);
    const key = account ?? name;
    const queue = this.queues.get(key) ?? { open: 0, waiting: new Set() };
    this.queues.set(key, queue);
    return new Slot(queue, {
      forget: () => this.queues.delete(key),
      remember: (owner) => owner === account || this.accounts.set(name, owner),
    });
  }
}

/** One request of an account, in the order of coming. */
export class Slot {
  /** Resolves when it may begin; never for one that was left before. */
  readonly turn: Promise<void>;
  private readonly begin: () => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: Queue,
    private readonly slots: SlotListeners,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.turn = promise;
    this.begin = resolve;
    if (queue.open < AT_ONCE) this.open();
    else queue.waiting.add(this);
  }

  /** Says whose token it is, for those that come later. */
  belongsTo(account: string): void {
    this.slots.remember(account);
  }

  /** Makes room for the next; a second time does nothing. */
  leave(): void {
    this.queue.waiting.delete(this);
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue.open -= 1;
    const [next] = this.queue.waiting;
    if (next) next.open();
    else if (this.queue.open === 0) this.slots.forget();
  }

  private open() {
    this.queue.waiting.delete(this);
    this.queue.open += 1;
    this.timer = setTimeout(() => this.leave(), LONG_MS).unref();
    this.begin();
  }
}
