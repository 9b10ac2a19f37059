import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import { type Gatehouse, startGatehouse } from './gatehouse.js';
import { type Answer, call } from './http.js';

export const ADMIN_TOKEN = 'correct-horse-battery-staple-0123';

/** A service with the administration API. */
export const startAdministered = (
  variables: Readonly<Record<string, string>> = {},
  replicaOf?: Gatehouse,
) => startGatehouse({ MANAGEMENT_PORT: '0', ADMIN_TOKEN, ...variables }, replicaOf);

/** A client of the administration API, with the token. */
export class AdminApi {
  constructor(private readonly gatehouse: Pick<Gatehouse, 'app'>) {}

  get port(): number {
    return this.gatehouse.app.get(ManagementListenerService, { strict: false }).port;
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return call(this.port, {
      method,
      path: `/admin/${path}`,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
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
