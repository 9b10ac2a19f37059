// One request over and over, a number of them at once.

/** Requests under way at once, each by a worker with a number from 0 on. */
export const WORKERS = 32;

export class RequestLoad {
  #request;
  #size;
  #stock;

  /**
   * `request(worker, stocked)` rejects when its answer is wrong. With `request.stock(worker, n)`, `n` below
   * `stock`, its results are made before and passed on one by one. A request that is several operations says so in
   * `request.operations`.
   */
  constructor(request, stock) {
    this.#request = request;
    this.#size = stock;
  }

  async stockUp() {
    const { stock } = this.#request;
    if (stock === undefined) return;
    const made = [];
    await inParallel(async (worker) => {
      for (let n = 0; n < this.#size; n += 1) made.push(await stock(worker, n));
    });
    this.#stock = made;
  }

  /** Until the time or the stock has run out. */
  async run(endsAt) {
    const { operations = 1 } = this.#request;
    let done = 0;
    await inParallel(async (worker) => {
      while (performance.now() < endsAt && this.#stock?.length !== 0) {
        await this.#request(worker, this.#stock?.pop());
        done += operations;
      }
    });
    return done;
  }
}

const inParallel = (work) => Promise.all(Array.from({ length: WORKERS }, (_, n) => work(n)));
