import { RefusalError, type Visitor } from '#libs/accounts';

export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** What a stored challenge is for; it is valid only on the origin it was made on. */
export type Challenge = { readonly origin: string; readonly userId: string } & (
  | {
      /** For a new account; `inviteHash` is that of the invite to spend for it. */
      readonly purpose: 'register';
      readonly displayName: string;
      readonly inviteHash?: string | undefined;
    }
  | { readonly purpose: 'add'; readonly displayName: null }
);

/** Maximum of unused challenges, of all visitors together. */
export const MAX_CHALLENGES = 50_000;

/** Stores challenges of registration until they are verified once. */
export abstract class ChallengeStore {
  static readonly portOf = 'passkeys';

  /**
   * Stores a challenge for `lifetimeMs`. A visitor holds at most `visitor.limit` unused challenges: a further one
   * displaces the visitor's oldest, never that of another visitor. Both hold under concurrent calls, on any
   * replica. Rejects when the challenge could not be stored, and with RefusalError 503 when there is no room.
   */
  abstract put(
    challenge: string,
    issued: Challenge,
    lifetimeMs: number,
    visitor: Visitor,
  ): Promise<void>;

  /**
   * Removes and returns a challenge; undefined when it was never stored, was already taken or has expired. Of any
   * number of concurrent calls for one challenge, on any replica, exactly one gets it.
   */
  abstract take(challenge: string): Promise<Challenge | undefined>;
}

/** The store is full, or the visitor's network holds its whole share. */
export const noRoom = () =>
  new RefusalError(503, 'too many sign-ups are in progress; try again in a minute', {
    'Retry-After': '60',
  });

interface Waiting {
  readonly issued: Challenge;
  readonly visitor: Visitor;
  readonly until: number;
}

/**
 * Keeps challenges in this process, at most `capacity` of them. A network may hold at most as many as are still
 * free for all others, so its share shrinks as the store fills up: a flood of any size leaves room and displaces
 * only its own challenges. Uses the monotonic clock, which cannot be set.
 */
export class InProcessChallengeStore extends ChallengeStore {
  /** In order of insertion, which is also the order of expiry. */
  private readonly waiting = new Map<string, Waiting>();
  /** Challenges by visitor, and by the network of visitors. */
  private readonly held = new Map<string, Set<string>>();

  constructor(private readonly capacity = MAX_CHALLENGES) {
    super();
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number, visitor: Visitor) {
    this.forgetExpired();
    const free = this.capacity - this.waiting.size;
    const isFull = this.countOf(visitor.key) >= visitor.limit;
    if (isFull || this.countOf(visitor.network) >= free) this.forgetOldestOf(visitor);
    this.waiting.set(challenge, { issued, visitor, until: performance.now() + lifetimeMs });
    for (const holder of holdersOf(visitor)) {
      this.held.set(holder, (this.held.get(holder) ?? new Set()).add(challenge));
    }
  }

  override async take(challenge: string) {
    const found = this.waiting.get(challenge);
    if (found) this.forget(challenge, found);
    return found && found.until > performance.now() ? found.issued : undefined;
  }

  private countOf(holder: string) {
    return this.held.get(holder)?.size ?? 0;
  }

  private forgetExpired() {
    const now = performance.now();
    for (const [challenge, found] of this.waiting) {
      if (found.until > now) return;
      this.forget(challenge, found);
    }
  }

  private forgetOldestOf({ key }: Visitor) {
    const [challenge] = this.held.get(key) ?? [];
    const found = challenge === undefined ? undefined : this.waiting.get(challenge);
    if (challenge === undefined || !found) throw noRoom();
    this.forget(challenge, found);
  }

  private forget(challenge: string, { visitor }: Waiting) {
    this.waiting.delete(challenge);
    for (const holder of holdersOf(visitor)) {
      const held = this.held.get(holder);
      held?.delete(challenge);
      if (held?.size === 0) this.held.delete(holder);
    }
  }
}

const holdersOf = ({ key, network }: Visitor) => new Set([key, network]);
