// A server that is measured: a process on a core of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { dyingWithParent, findFreePort } from '../../libs/platform/src/testbed/program.testbed.ts';
import { pinned } from './cores.mjs';
import { HttpClient } from './http-client.mjs';

const ON_DEMAND = new URL('on-demand.mjs', import.meta.url).href;

export class ServerProcess extends HttpClient {
  #child;

  constructor(child, port, origin) {
    super(port, origin);
    this.#child = child;
    this.port = port;
    this.origin = origin;
  }

  /**
   * Starts a file on a free port, which it finds in PORT, and resolves when `isUp` is answered with 200. `replica`
   * chooses its core; with `obeys` it takes orders of on-demand.mjs.
   */
  static async start(
    file,
    { args: own = [], variables = {}, origin, replica = 0, obeys, isUp = '/' },
  ) {
    const port = await findFreePort();
    const options = obeys ? ['--expose-gc', `--import=${ON_DEMAND}`] : [];
    const node = [process.execPath, ...options, file, ...own];
    const [command, ...args] = [...dyingWithParent(), ...pinned(replica), ...node];
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, PORT: String(port), ...variables },
      stdio: ['ignore', 'ignore', 'inherit', ...(obeys ? ['ipc'] : [])],
    });
    child.channel?.unref();
    process.once('exit', () => child.kill('SIGKILL'));
    const server = new ServerProcess(child, port, origin ?? `http://localhost:${port}`);
    await server.#ready(isUp);
    return server;
  }

  get pids() {
    return [this.#child.pid];
  }

  async #ready(path) {
    while (!(await this.ask({ path }).catch(() => undefined))) {
      if (this.#child.exitCode !== null) throw new Error('the server ended before it was ready');
      await pause(5);
    }
  }

  /** Gives an order of on-demand.mjs; resolves with what it answers. */
  async order(order, about) {
    this.#child.send({ order, about });
    const [answer] = await once(this.#child, 'message');
    return answer;
  }

  async stop() {
    await this.close();
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
