import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

const SCOPE = 'openid profile';

/** The company's OpenID provider, on this computer. It believes that everyone is `person`. */
export class CompanyProvider {
  person = { sub: '00u1', name: 'Ann Smith' };
  private readonly stored = new Map<string, AdapterPayload>();
  private provider: Provider | undefined;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {
    server.on('request', (request, response) => {
      const { provider, person } = this;
      if (!request.url?.startsWith('/sign-in')) return void provider?.callback()(request, response);
      const login = { accountId: person.sub };
      void provider?.interactionFinished(request, response, { login });
    });
  }

  static async start(): Promise<CompanyProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const { port } = server.address() as AddressInfo;
    return new CompanyProvider(server, `http://localhost:${port}`);
  }

  /** Registers a client that signs people in by their ID tokens. */
  register(clientId: string, clientSecret: string, redirectUri: string): void {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    this.provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['of the tests'] },
      adapter: (model: string) => this.adapterOf(model),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
      claims: { openid: ['sub'], profile: ['name'] },
      conformIdTokenClaims: false,
      // In seconds; the library writes a line for each that is left out.
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        Grant: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
      },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, name: this.person.name }),
      }),
      // People of the company need not consent to the service.
      async loadExistingGrant({ oidc: { client, session, provider } }) {
        const { clientId: id } = client ?? {};
        const grant = new provider.Grant({ clientId: id, accountId: session?.accountId });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    });
  }

  /** What a browser without cookies does at an address of the provider: the address that it is sent back to. */
  async visit(address: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = address;
    while (next.startsWith(this.issuer)) {
      const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
      const answer = await fetch(next, { headers: { cookie }, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${answer.status} ${await answer.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private adapterOf(model: string): Adapter {
    const { stored } = this;
    const key = (id: string) => `${model} ${id}`;
    return {
      upsert: async (id, payload) => void stored.set(key(id), payload),
      find: async (id) => stored.get(key(id)),
      findByUid: async (uid) => [...stored.values()].find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(stored.get(key(id)) ?? {}, { consumed: true }),
      destroy: async (id) => void stored.delete(key(id)),
      revokeByGrantId: async () => undefined,
    };
  }
}
