import type { Admin } from './admin.js';
import { AdminApi } from './admin-client.js';
import type { Answer } from './http.js';
import { OAuthClient } from './oauth-client.js';
import type { Service } from './service.js';

export const MACHINES = { MACHINE_CLIENTS: 'on' };

export interface IssuedMachine {
  readonly clientId: string;
  readonly clientSecret?: string;
}

type Place = Pick<Service, 'port' | 'origin'>;

type Params = Readonly<Record<string, string | undefined>>;

/**
 * A machine client of a service with `MACHINE_CLIENTS: 'on'` and the administration API, whose token is `token`.
 * Throws when it is refused.
 */
export async function createMachine(
  gatehouse: Service,
  scopes: readonly string[],
  { resource, token }: { readonly resource?: string; readonly token?: string } = {},
): Promise<MachineClient> {
  const admin = new AdminApi(gatehouse, token);
  const machine = { name: 'Robot', scopes, resource };
  const made = await admin.json<IssuedMachine>('POST', 'machine-clients', machine);
  return MachineClient.with(gatehouse, made);
}

/** A machine client that an administrator made; it has a secret. */
export class MachineClient {
  private constructor(
    private readonly client: OAuthClient,
    private readonly secret: string,
  ) {}

  /** `admin` has to have the switch on. */
  static async create(gatehouse: Place, admin: Admin, scopes = ['code:run']) {
    const issued = await admin.json<IssuedMachine>(
      'clients',
      'create',
      '--machine',
      '--name',
      'Robot',
      '--scope',
      ...scopes,
    );
    return MachineClient.with(gatehouse, issued);
  }

  static with(gatehouse: Place, { clientId, clientSecret = '' }: IssuedMachine) {
    return new MachineClient(OAuthClient.published(gatehouse, clientId), clientSecret);
  }

  /** The same client at another replica. */
  at(replica: Pick<Service, 'port'>): MachineClient {
    return new MachineClient(this.client.at(replica), this.secret);
  }

  get id(): string {
    return this.client.id;
  }

  /** A request to the token endpoint by `client_secret_basic`. */
  request(params: Params = {}, path = '/svc/oauth/token'): Promise<Answer> {
    const authorization = `Basic ${Buffer.from(`${this.id}:${this.secret}`).toString('base64')}`;
    return this.client.token({ client_id: undefined, ...params }, { authorization }, path);
  }

  issue(params: Params = {}): Promise<Answer> {
    return this.request({ grant_type: 'client_credentials', ...params });
  }

  /** An access token; throws when it is refused. */
  async token(params: Params = {}): Promise<string> {
    const answer = await this.issue(params);
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
    return answer.json<{ access_token: string }>().access_token;
  }

  mcp(token: string, method?: string, params?: object): Promise<Answer> {
    return this.client.mcp(token, method, params);
  }
}
