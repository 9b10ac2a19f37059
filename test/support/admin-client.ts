import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import { type Answer, call } from './http.js';
import type { Service } from './service.js';

export const ADMIN_TOKEN = 'correct-horse-battery-staple-0123';

/** A client of the administration API of a service with `MANAGEMENT_PORT: '0'` and this token as `ADMIN_TOKEN`. */
export class AdminApi {
  constructor(
    private readonly gatehouse: Pick<Service, 'app'>,
    private readonly token = ADMIN_TOKEN,
  ) {}

  get port(): number {
    return this.gatehouse.app.get(ManagementListenerService, { strict: false }).port;
  }

  /** `path` is what follows `/admin/`; a body that is not text is sent as JSON. */
  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return call(this.port, {
      method,
      path: `/admin/${path}`,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  get = (path: string): Promise<Answer> => this.send('GET', path);
  post = (path: string, body?: unknown): Promise<Answer> => this.send('POST', path, body);

  /** The answer's JSON; throws for any status but 200 and 201. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send(method, path, body);
    if (answer.status !== 200 && answer.status !== 201) {
      throw new Error(`${answer.status}: ${answer.text}`);
    }
    return answer.json<T>();
  }
}
