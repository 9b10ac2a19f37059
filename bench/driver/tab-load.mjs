// Pairs of tabs that talk to each other in turn, in processes of their own so that one core is not the limit.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const FILE = new URL('tab-process.mjs', import.meta.url);
const PROCESSES = 2;

export class TabLoad {
  #processes = Array.from({ length: PROCESSES }, () => fork(FILE));
  #gone = Promise.race(this.#processes.map((child) => ended(child)));

  /** `pairs` are two addresses each, as `Tab.open` takes them. Resolves when all are open. */
  static async open(pairs) {
    const load = new TabLoad();
    await load.#all((n) => ({
      order: 'open',
      pairs: pairs.filter((_pair, index) => index % PROCESSES === n),
    }));
    return load;
  }

  /** Resolves with the count of messages that arrived; rejects when some that were sent did not. */
  async run(endsAt) {
    await this.#all(() => ({ order: 'start' }));
    await pause(Math.max(0, endsAt - performance.now()));
    const told = await this.#all(() => ({ order: 'stop' }));
    const sum = (part) => told.reduce((total, one) => total + one[part], 0);
    const lost = sum('sent') - sum('received');
    if (lost > 0) throw new Error(`${lost} messages of ${sum('sent')} were lost`);
    return sum('received');
  }

  async stop() {
    for (const child of this.#processes) child.kill('SIGKILL');
  }

  /** Gives every process an order, and resolves with what they answer. */
  #all = (orderFor) =>
    Promise.all(
      this.#processes.map(async (child, n) => {
        child.send(orderFor(n));
        const [answer] = await Promise.race([once(child, 'message'), this.#gone]);
        return answer;
      }),
    );
}

async function ended(child) {
  await once(child, 'exit');
  throw new Error('a process with tabs has ended');
}
