import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

interface Members<Value> {
  [name: symbol]: Value | undefined;
}

/**
 * A value kept on a request or response, under a private symbol. It is collected together with that object: values of
 * a WeakMap, and a request that such a value references, would survive young collections.
 */
export class RequestMember<Value> {
  private readonly name = Symbol('member');

  get(request: object): Value | undefined {
    return (request as Members<Value>)[this.name];
  }

  set(request: object, value: Value): void {
    (request as Members<Value>)[this.name] = value;
  }
}

/** One storage for all values of a request: each run of an AsyncLocalStorage copies the values of all others. */
const requests = new AsyncLocalStorage<Map<object, unknown>>();

/** Runs what lives longer than the request that it began with: it is not kept for that, and has no account. */
export const outsideOfRequests = AsyncLocalStorage.snapshot();

/** A value of the current request, for code that does not get the request. */
export class RequestLocal<Value> {
  /** Undefined when it was not set, as outside of requests. */
  get(): Value | undefined {
    return requests.getStore()?.get(this) as Value | undefined;
  }

  /** Sets the value for the work and what it starts, and nothing else. Code that begins a request uses this. */
  run<T>(value: Value, work: () => T): T {
    return requests.run(new Map(requests.getStore()).set(this, value), work);
  }

  /** Sets the value for the rest of the current request, the work included; outside of a request as `run`. */
  enter<T>(value: Value, work: () => T): T {
    const request = requests.getStore();
    if (!request) return this.run(value, work);
    request.set(this, value);
    return work();
  }
}

/** The account that the current request is of, once that is known. */
export const requestAccount = new RequestLocal<string>();

type Ending = () => void;

const endings = new RequestMember<Ending[]>();

/** Calls `end` once, when the answer has been sent or can no longer be. Never for an upgraded request. */
export function onExchangeEnd(response: ServerResponse, end: Ending): void {
  if (response.destroyed) return end();
  const others = endings.get(response);
  if (others) return void others.push(end);
  endings.set(response, [end]);
  response.once('close', endAll);
}

function endAll(this: ServerResponse) {
  for (const end of endings.get(this) ?? []) end();
}

/** The work for one request: counted while it is in progress, but not while it waits for another service. */
export class RequestWork {
  private waits = 0;
  isOver = false;

  /** `count` gets +1 when the request begins or resumes work, and -1 when it stops. */
  constructor(private readonly count: (change: 1 | -1) => unknown) {
    count(1);
  }

  /** For another party. */
  get isWaiting(): boolean {
    return this.waits > 0;
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

/** The work of the current request. */
export const currentWork = (): RequestWork | undefined => works.get();

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
