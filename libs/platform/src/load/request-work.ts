import { RequestLocal } from './request-local.js';

/** The work for one request: counted while it is in progress, but not while it waits for another service. */
export class RequestWork {
  private waits = 0;
  private isOver = false;

  /** `count` gets +1 when the request begins or resumes work, and -1 when it stops. */
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

  /** May be called repeatedly. */
  end() {
    if (this.isOver) return;
    this.isOver = true;
    if (this.waits === 0) this.count(-1);
  }
}

const works = new RequestLocal<RequestWork>();

/** Runs work of a request, so that what it starts counts as that request's work. */
export const underWork = <T>(work: RequestWork, run: () => T): T => works.enter(work, run);

/**
 * Resolves or rejects as `wait` does. Until then the current request, if there is one, does not count as working:
 * it waits for another party, which may take seconds.
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
