import type { Answer } from './http.js';
import { Browser } from './browser.js';
import type { Gatehouse } from './gatehouse.js';

/** A browser on `origin` whose requests reach the service through a reverse proxy on this machine. */
export class ProxiedBrowser extends Browser {
  private readonly forwarded: Record<string, string>;

  constructor(
    { port }: Pick<Gatehouse, 'port'>,
    origin: string,
    authenticator?: Browser['authenticator'],
  ) {
    super({ port, origin }, authenticator);
    const { protocol, host } = new URL(origin);
    this.forwarded = {
      host: `127.0.0.1:${port}`,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
    };
  }

  override get agent() {
    return super.agent.set(this.forwarded);
  }

  override send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | string[]> = {},
  ): Promise<Answer> {
    return super.send(method, path, body, { ...this.forwarded, ...headers });
  }
}
