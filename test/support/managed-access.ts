import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import type { Certificate } from '#libs/platform/testing';
import { hostIdentity } from '#libs/oauth/testing';
import { type Gatehouse, startGatehouse } from './gatehouse.js';
import type { Answer } from './http.js';
import { IdentityProvider } from './identity-provider.js';
import { OAuthClient } from './oauth-client.js';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

type Members = Readonly<Record<string, unknown>>;

/** Entries of `TRUSTED_ISSUERS_FILE` by tenant, without their issuer and clients. */
type Entries = Readonly<Record<string, Members>>;

interface Settings {
  /** By default `acme`, which makes accounts, and `globex`, which is for linked ones. */
  readonly entries?: Entries;
  readonly variables?: Readonly<Record<string, string>>;
  /** What the clients register; `present` takes `client_secret_post`, which is their method by default. */
  readonly metadata?: Members;
  /** Of the identity provider, and of each other host that the service has to trust; by default one of its own. */
  readonly identity?: Certificate;
}

/** What `startManagedAccess` starts. */
export interface ManagedAccess {
  /** With the file. */
  readonly gatehouse: Gatehouse;
  /** On the same storage, without the file. */
  readonly plain: Gatehouse;
  readonly idp: IdentityProvider;
  /** A confidential client that both issuers list. */
  readonly client: OAuthClient;
  /** One that none lists. */
  readonly unlisted: OAuthClient;
  readonly trustedIssuersFile: string;
  /** The certificate of the identity provider, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  /** The security events of `gatehouse`, in order. */
  readonly events: readonly SecurityEvent[];
  /** An assertion for that client and `/svc/mcp`. */
  assertion(subject: string, claims?: Members, header?: Members, tenant?: string): Promise<string>;
  /** Presents it as that client. */
  present(assertion: string, params?: Readonly<Record<string, string>>): Promise<Answer>;
  stop(): Promise<void>;
}

const ENTRIES: Entries = {
  acme: { name: 'Acme', scopes: ['account:read', 'tabs:read'], accounts: 'create' },
  globex: { name: 'Globex', scopes: ['account:read'], accounts: 'linked' },
};

/** A service that trusts an identity provider in another process, and a replica of it that trusts none. */
export async function startManagedAccess({
  entries = ENTRIES,
  variables = {},
  metadata = {},
  identity = hostIdentity(),
}: Settings = {}): Promise<ManagedAccess> {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, identity.certificate]);
  const folder = await mkdtemp(join(tmpdir(), 'issuers-'));
  const trustedIssuersFile = join(folder, 'issuers.json');
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, identity.certificate);
  const idp = await IdentityProvider.start(identity);
  const plain = await startGatehouse(variables);
  const register = () =>
    OAuthClient.register(plain, {
      client_name: 'Managed App',
      token_endpoint_auth_method: 'client_secret_post',
      ...metadata,
    });
  const [registered, other] = [await register(), await register()];
  const common = { clients: [registered.id], privateNetwork: true };
  const listed = Object.entries(entries).map(([tenant, entry]) =>
    Object.assign({ issuer: idp.issuer(tenant) }, common, entry),
  );
  await writeFile(trustedIssuersFile, JSON.stringify(listed));
  const withFile = { ...variables, TRUSTED_ISSUERS_FILE: trustedIssuersFile };
  const gatehouse = await startGatehouse(withFile, plain);
  const events: SecurityEvent[] = [];
  gatehouse.app.get(SecurityEventsService, { strict: false }).listen((event) => events.push(event));
  const client = OAuthClient.published(gatehouse, registered.id);
  const secretOf = { client_secret: registered.secret ?? '' };
  return {
    gatehouse,
    plain,
    idp,
    client: registered,
    unlisted: other,
    trustedIssuersFile,
    certificateFile,
    events,
    assertion: (subject, claims = {}, header = {}, tenant = 'acme') =>
      idp.assertion(
        tenant,
        {
          sub: subject,
          aud: gatehouse.origin,
          resource: `${gatehouse.origin}/svc/mcp`,
          client_id: registered.id,
          ...claims,
        },
        header,
      ),
    present: (assertion, params = {}) =>
      client.token({ grant_type: JWT_BEARER, assertion, ...secretOf, ...params }),
    stop: async () => {
      await gatehouse.stop();
      await plain.stop();
      await idp.stop();
      setDefaultCACertificates(trusted);
      await rm(folder, { recursive: true });
    },
  };
}
