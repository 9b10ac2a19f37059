import { TabBusDownError } from './tab-bus-down.error.js';

/** What is to be sent to the other replicas that listen to an account. */
export interface Post {
  readonly userId: string;
  readonly text: string;
}

interface Waiting {
  readonly post: Post;
  readonly resolve: (reached: number) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_POSTS = 512;
const MAX_CHARACTERS = 1024 * 1024;
/** What waits beyond this does not, whoever it is from: Redis takes less than there is to say. */
const MAX_WAITING_CHARACTERS = 16 * MAX_CHARACTERS;
/** What a post takes beside its text. */
const POST_CHARACTERS = 512;

/**
 * Sends together what is posted in one turn of the event loop, and in order: the next batch leaves when
 * the one before was answered. When one fails, all that waits fails with it. No more waits than 16 Mi
 * characters, each post counting for 512 beside its text.
 */
export class Outbox {
  private readonly waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private isSending = false;

  /** `send` gets 512 posts at most, and 1 Mi characters unless one post has more; it resolves with a number for each. */
  constructor(private readonly send: (posts: readonly Post[]) => Promise<readonly number[]>) {}

  /** Resolves with the number that `send` has for it; rejects with TabBusDownError when there is no room for it. */
  async post(post: Post): Promise<number> {
    if (this.waitingCharacters + sizeOf(post) > MAX_WAITING_CHARACTERS) throw new TabBusDownError();
    this.waitingCharacters += sizeOf(post);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.waiting.push({ post, resolve, reject });
    if (!this.isSending) setImmediate(() => void this.drain());
    this.isSending = true;
    return promise;
  }

  private async drain() {
    while (this.waiting.length > 0) {
      const batch = this.take(this.countOfBatch());
      try {
        const reached = await this.send(batch.map(({ post }) => post));
        for (const [n, { resolve }] of batch.entries()) resolve(reached[n] ?? 0);
      } catch (error) {
        for (const { reject } of [...batch, ...this.take(this.waiting.length)]) reject(error);
      }
    }
    this.isSending = false;
  }

  private take(count: number) {
    const taken = this.waiting.splice(0, count);
    for (const { post } of taken) this.waitingCharacters -= sizeOf(post);
    return taken;
  }

  private countOfBatch() {
    let characters = 0;
    const isFull = ({ post }: Waiting, n: number) => {
      characters += post.text.length;
      return n === MAX_POSTS || (n > 0 && characters > MAX_CHARACTERS);
    };
    const count = this.waiting.findIndex(isFull);
    return count === -1 ? this.waiting.length : count;
  }
}

const sizeOf = ({ text }: Post) => text.length + POST_CHARACTERS;
