import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAdminHere } from './admin.js';
import type { Browser } from './browser.js';
import { call } from './http.js';
import { jsonFile } from './json-file.js';
import { OAuthClient, type TokenResponse } from './oauth-client.js';
import type { Service } from './service.js';

/** A resource elsewhere, as `RESOURCES_FILE` lists it. */
export const NOTES = {
  resource: 'https://notes.example/mcp',
  name: 'Notes & more',
  scopes: [
    { name: 'notes:read', description: 'read your notes' },
    { name: 'notes:write', description: 'write notes for you' },
  ],
  tokens: 'opaque',
};

/** Another one, at the root of its host. */
export const FILES = {
  resource: 'https://files.example',
  name: 'Files',
  scopes: [{ name: 'files:read', description: 'read your files' }],
  tokens: 'opaque',
};

/** A resource elsewhere whose server may introspect opaque tokens. */
export const NOTES_ELSEWHERE = {
  resource: 'https://notes.example/mcp',
  name: 'Notes',
  scopes: [{ name: 'notes:read', description: 'read your notes' }],
  tokens: 'opaque',
  introspection: { clientId: 'notes-server', secret: 'the secret of notes' },
} as const satisfies ListedResource;

/** A resource elsewhere that takes JWTs; the secret of its server is encoded in HTTP Basic. */
export const REPORTS = {
  resource: 'https://reports.example/mcp',
  name: 'Reports',
  scopes: [{ name: 'reports:read', description: 'read your reports' }],
  tokens: 'jwt',
  introspection: { clientId: 'reports-server', secret: 'the+secret of%reports' },
} as const satisfies ListedResource;

/** The same with a second scope. */
export const REPORTS_TO_CHANGE = {
  ...REPORTS,
  scopes: [...REPORTS.scopes, { name: 'reports:write', description: 'change your reports' }],
} as const satisfies ListedResource;

/** The variable that lists these resources, in a file of its own. */
export const resourcesFile = (...resources: readonly object[]) => ({
  RESOURCES_FILE: jsonFile(resources),
});

/** An entry of RESOURCES_FILE; `secret` is that of its server, where it may introspect. */
export interface ListedResource {
  readonly resource: string;
  readonly name: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly tokens: 'opaque' | 'jwt';
  readonly introspection?: { readonly clientId: string; readonly secret: string };
}

/** A private key as SIGNING_KEYS_FILE has it. */
export interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  readonly signsFrom: number;
  readonly retireAfter?: number;
  readonly [member: string]: unknown;
}

/** A folder with a RESOURCES_FILE and a SIGNING_KEYS_FILE. */
export class ResourceFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
  private readonly keysFile = join(this.folder, 'keys.json');
  /** What a service reads. */
  readonly variables: Readonly<Record<string, string>>;

  private constructor(resources: readonly ListedResource[]) {
    const listed = resources.map(({ introspection, ...rest }) => ({
      ...rest,
      ...(introspection && {
        introspection: {
          clientId: introspection.clientId,
          secretSha256: createHash('sha256').update(introspection.secret).digest('hex'),
        },
      }),
    }));
    this.variables = { ...resourcesFile(...listed), SIGNING_KEYS_FILE: this.keysFile };
  }

  /** These resources, and a first key. */
  static async of(...resources: ListedResource[]): Promise<ResourceFiles> {
    const files = new ResourceFiles(resources);
    await files.rotate();
    return files;
  }

  /** Adds a key by the command line. */
  async rotate(...args: string[]) {
    const variables = { SIGNING_KEYS_FILE: this.keysFile };
    const { code, stderr } = await runAdminHere(variables, 'keys', 'rotate', ...args);
    if (code !== 0) throw new Error(stderr);
  }

  keys(): readonly ListedKey[] {
    return (JSON.parse(readFileSync(this.keysFile, 'utf8')) as { keys: ListedKey[] }).keys;
  }

  writeKeys(keys: string | readonly ListedKey[]) {
    writeFileSync(this.keysFile, typeof keys === 'string' ? keys : JSON.stringify({ keys }));
  }

  /** As before the first key. */
  removeKeys() {
    rmSync(this.keysFile);
  }

  remove() {
    rmSync(this.folder, { recursive: true });
  }
}

/** A new client of the browser's user, with tokens for a resource. */
export async function connectTo(
  gatehouse: Pick<Service, 'port' | 'origin'>,
  browser: Browser,
  { resource, scopes }: Pick<ListedResource, 'resource' | 'scopes'>,
): Promise<TokenResponse & { readonly client: OAuthClient }> {
  const client = await OAuthClient.register(gatehouse);
  const names = scopes.map(({ name }) => name);
  const answer = await client.exchange(await client.authorize(browser, names, { resource }));
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`);
  return { ...answer.json<TokenResponse>(), client };
}

/** The credentials of a resource server, each encoded as in a form (RFC 6749 §2.3.1). */
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
});

/** What a resource server is told about a token. */
export async function introspect(
  { port, origin }: Pick<Service, 'port' | 'origin'>,
  token: string,
  { introspection: { clientId, secret } = { clientId: '', secret: '' } }: ListedResource,
): Promise<Record<string, unknown>> {
  const answer = await call(port, {
    method: 'POST',
    path: '/svc/introspect',
    headers: {
      host: new URL(origin).host,
      'content-type': 'application/x-www-form-urlencoded',
      ...basic(clientId, secret),
    },
    body: new URLSearchParams({ token }).toString(),
  });
  if (answer.status !== 200) throw new Error(`introspection: ${answer.status} ${answer.text}`);
  return answer.json();
}
