import { isJsonObject, type JsonObject } from '#libs/platform/json';
import {
  CLIENT_AUTH_METHODS,
  type ClientAuthentication,
  clientAuthentication,
  type OfferedMethods,
} from './client-authentication.js';
import { resourceOf } from '../resource/resource.js';
import {
  ClientMetadataError,
  httpsUrl,
  invalidMetadata,
  optionalString,
  stringList,
  withoutEmpty,
} from './metadata-fields.js';
import { redirectUriFault } from './redirect-uri.js';

/** What an administrator lets a machine client ask for. */
export interface MachineLimits {
  readonly scopes: readonly string[];
  /** The only resource of its tokens, as it is listed: a URL, or a path of each origin. By default `/svc/mcp`. */
  readonly resource?: string | undefined;
}

/** The identifier of the resource of a machine client on an origin. */
export const resourceOfMachine = ({ resource }: MachineLimits, origin: string): string =>
  resource?.startsWith('/') ? origin + resource : (resource ?? resourceOf(origin));

/** The stored part of a client's metadata (RFC 7591 §2), with all defaults filled in. */
export interface ClientMetadata extends ClientAuthentication, DisplayMetadata {
  readonly redirect_uris: string[];
  readonly grant_types: string[];
  /** Empty for a machine client, which asks no user. */
  readonly response_types: 'code'[];
  /** Of a machine client only. Never read from what a client sends. */
  readonly machine?: MachineLimits;
}

/** The metadata of a known client; `client_secret` is the secret's hash. */
export interface KnownClient extends ClientMetadata {
  readonly client_id: string;
  readonly client_secret?: string;
  /** When it was registered, in epoch seconds. */
  readonly client_id_issued_at?: number;
}

const MAX_REDIRECT_URIS = 50;
const MAX_SIZE = 16 * 1024;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** The grant of clients that act for themselves (RFC 6749 §4.4). */
export const MACHINE_GRANT_TYPE = 'client_credentials';

export const MACHINE_AUTH_CHOICES = ['client_secret_basic', 'private_key_jwt'] as const;

const REGISTERED: OfferedMethods = {
  methods: CLIENT_AUTH_METHODS,
  byDefault: 'client_secret_basic',
};
const MACHINE: OfferedMethods = { methods: MACHINE_AUTH_CHOICES, byDefault: 'client_secret_basic' };
const PUBLISHED: OfferedMethods = { methods: ['none', 'private_key_jwt'], byDefault: 'none' };

export const registrationMetadata = (request: unknown): ClientMetadata =>
  normalise(request, REGISTERED);

/** The client of a metadata document (draft §4): names its URL, has no secret. Throws ClientMetadataError. */
export function documentMetadata(fetched: unknown, clientId: string): KnownClient {
  if (!isJsonObject(fetched)) throw invalidMetadata('the document must be a JSON object');
  const document = withoutEmpty(fetched);
  if (document['client_id'] !== clientId) {
    throw invalidMetadata('client_id must be the URL of the document');
  }
  if (Object.keys(document).some((member) => member.startsWith('client_secret'))) {
    throw invalidMetadata('the document must not have a client secret');
  }
  if (optionalString(document, 'token_endpoint_auth_method')?.startsWith('client_secret')) {
    throw invalidMetadata('token_endpoint_auth_method must not use a shared secret');
  }
  return { client_id: clientId, ...normalise(document, PUBLISHED) };
}

/** The metadata of a machine client (RFC 6749 §4.4): without redirect URIs, users and a refresh token. */
export function machineMetadata(metadata: JsonObject, machine: MachineLimits): ClientMetadata {
  const hasKeys = metadata['jwks'] !== undefined;
  if (hasKeys !== (metadata['token_endpoint_auth_method'] === 'private_key_jwt')) {
    throw invalidMetadata('private_key_jwt takes the public keys of the client, and only that');
  }
  return expectSmall({
    ...displayMetadata(metadata),
    redirect_uris: [],
    grant_types: [MACHINE_GRANT_TYPE],
    response_types: [],
    ...clientAuthentication(metadata, MACHINE),
    machine,
  });
}

function normalise(request: unknown, offered: OfferedMethods): ClientMetadata {
  if (!isJsonObject(request)) throw invalidMetadata('client metadata must be a JSON object');
  const metadata = withoutEmpty(request);
  return expectSmall({
    ...displayMetadata(metadata),
    redirect_uris: redirectUris(metadata),
    grant_types: grantTypes(metadata),
    response_types: responseTypes(metadata),
    ...clientAuthentication(metadata, offered),
  });
}

function expectSmall(metadata: ClientMetadata): ClientMetadata {
  if (JSON.stringify(metadata).length <= MAX_SIZE) return metadata;
  throw invalidMetadata(`client metadata must have at most ${MAX_SIZE} characters`);
}

function redirectUris({ redirect_uris: uris }: JsonObject): string[] {
  const invalid = (message: string) => new ClientMetadataError('invalid_redirect_uri', message);
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw invalid(`redirect_uris must have 1 to ${MAX_REDIRECT_URIS} entries`);
  }
  const checked = uris.map((uri: unknown, index) => {
    const fault = typeof uri === 'string' ? redirectUriFault(uri) : 'must be a string';
    if (fault !== undefined) throw invalid(`redirect_uris[${index}] ${fault}`);
    return uri as string;
  });
  return [...new Set(checked)];
}

/** Ignores unknown grant types, so that clients may list those of other servers. */
function grantTypes(metadata: JsonObject): string[] {
  const listed = stringList(metadata, 'grant_types');
  if (listed?.some((type) => GRANT_TYPES.includes(type)) === false) {
    throw invalidMetadata(`grant_types must include one of ${GRANT_TYPES.join(', ')}`);
  }
  return [...GRANT_TYPES];
}

function responseTypes(metadata: JsonObject): ['code'] {
  if (stringList(metadata, 'response_types')?.includes('code') === false) {
    throw invalidMetadata('response_types must include code');
  }
  return ['code'];
}

interface DisplayMetadata {
  readonly application_type?: 'native' | 'web';
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly policy_uri?: string;
  readonly tos_uri?: string;
}

const MAX_NAME_LENGTH = 200;
const URLS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** The valid display members; invalid ones are left out, but a name that is no string is an error. */
function displayMetadata(metadata: JsonObject): DisplayMetadata {
  const name = visibleName(optionalString(metadata, 'client_name') ?? '');
  const urls = URLS.map((member) => [member, httpsUrl(metadata[member])] as const);
  const type = metadata['application_type'];
  return {
    ...(type === 'native' || type === 'web' ? { application_type: type } : {}),
    ...(name === '' ? {} : { client_name: name }),
    ...Object.fromEntries(urls.filter(([, url]) => url !== undefined)),
  };
}

/** Removes invisible characters and those that reorder the surrounding text (controls, formats). */
const visibleName = (name: string) => {
  const seen = name
    .slice(0, MAX_NAME_LENGTH * 10)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '');
  const [...characters] = seen.normalize('NFC').trim();
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
};

const MAX_ID_LENGTH = 512;
const HTTPS_PORT = '443';

/** Whether a client identifier is the URL of a metadata document; any other is registered or unknown. */
export const isDocumentUrl = (clientId: string) => clientId.startsWith('https://');

/** Host and port in the form of `privateHosts`, the default port included: `localhost:8443`. */
export const hostAndPort = ({ hostname, port }: URL) => `${hostname}:${port || HTTPS_PORT}`;

/** Why a URL may not identify a metadata document (draft, §3), such as a spelling that a parser would change. */
export function clientIdUrlFault(
  clientId: string,
  // Stryker disable next-line ArrayDeclaration: a text that is no host and port allows none.
  privateHosts: readonly string[] = [],
): string | undefined {
  if (clientId.length > MAX_ID_LENGTH)
    return `the identifier has more than ${MAX_ID_LENGTH} characters`;
  if (!isDocumentUrl(clientId)) return 'the identifier is not an https URL';
  const url = URL.parse(clientId);
  if (!url || url.href !== clientId) return 'the identifier is not a URL in its normal form';
  if (url.username !== '' || url.password !== '') return 'the identifier has credentials in it';
  if (clientId.includes('#')) return 'the identifier has a fragment';
  if (clientId.includes('?')) return 'the identifier has a query';
  if (url.pathname === '/') return 'the identifier has no path';
  if (url.hostname.endsWith('.')) return 'the host of the identifier ends in a dot';
  if (url.port !== '' && !privateHosts.includes(hostAndPort(url))) {
    return 'the identifier names a port';
  }
  return undefined;
}

/** Whether a metadata document can have this URL, whatever ports the service allows. */
export function isPossibleDocumentUrl(clientId: string): boolean {
  const url = URL.parse(clientId);
  return url !== null && clientIdUrlFault(clientId, [hostAndPort(url)]) === undefined;
}

const MAX_APP_NAME_LENGTH = 80;
const NAMELESS = 'an MCP client';

interface NamedClient {
  readonly clientId: string;
  readonly clientName?: string | undefined;
}

/** The host name of a client identifier that is an https URL, else null. */
export function publishedBy(clientId: string): string | null {
  const url = URL.parse(clientId);
  return url?.protocol === 'https:' ? url.hostname : null;
}

/** The name that users see: the client's own, else the host that publishes it; at most 80 characters. */
export function appName({ clientId, clientName = '' }: NamedClient): string {
  const name = clientName.trim() || publishedBy(clientId) || NAMELESS;
  return [...name].slice(0, MAX_APP_NAME_LENGTH).join('').trimEnd();
}
