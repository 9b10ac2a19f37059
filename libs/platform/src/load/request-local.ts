import { AsyncLocalStorage } from 'node:async_hooks';

/** One for all that belongs to a request: every run of an AsyncLocalStorage copies what the others hold. */
const requests = new AsyncLocalStorage<Map<object, unknown>>();

/** Something of a request that all that it starts can find, where the request itself does not get. */
export class RequestLocal<Value> {
  /** Undefined where nobody said it, as outside of requests. */
  get(): Value | undefined {
    return requests.getStore()?.get(this) as Value | undefined;
  }

  /** For the work and all that it starts, and nothing else. Whatever begins a request does it so. */
  run<T>(value: Value, work: () => T): T {
    return requests.run(new Map(requests.getStore()).set(this, value), work);
  }

  /** For the rest of the request that was begun, the work included; where none was, as `run`. */
  enter<T>(value: Value, work: () => T): T {
    const request = requests.getStore();
    if (!request) return this.run(value, work);
    request.set(this, value);
    return work();
  }
}
