import { AsyncLocalStorage } from 'node:async_hooks';

/** One storage for all values of a request: each run of an AsyncLocalStorage copies the values of all others. */
const requests = new AsyncLocalStorage<Map<object, unknown>>();

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
