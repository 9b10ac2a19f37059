import { RequestLocal } from './request-local.js';

/** The work for one request: counted while it goes on, and not while it waits for somebody else. */
export class RequestWork {
  private waits = 0;
  private isOver = false;

  /** `count` is told of +1 when the request is at work again, and of -1 when it is no longer. */
  constructor(private readonly count: (change: 1 | -1) => unknown) {
    count(1);
  }

  wait() {
    this.waits += 1;
    if (this.waits === 1 && !this.isOver) this.count(-1);
  }

  resume() {
    this.waits -= 1;
    if (this.waits === 0 && !this.isOver) this.count(1);
  }

  /** Any number of times. */
  end() {
    if (this.isOver) return;
    this.isOver = true;
    if (this.waits === 0) this.count(-1);
  }
}

const works = new RequestLocal<RequestWork>();

/** Does what belongs to a request; all that it starts knows whose work it is. */
export const underWork = <T>(work: RequestWork, run: () => T): T => works.enter(work, run);

/**
 * Resolves or rejects as `wait` does. Meanwhile the request that this is done for, if it is for one, is
 * not at work: it waits for somebody outside, who may take seconds.
 */
export async function whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
  const work = works.get();
  work?.wait();
  try {
    return await wait();
  } finally {
    work?.resume();
  }
}
