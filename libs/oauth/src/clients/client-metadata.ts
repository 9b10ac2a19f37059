import { type JsonObject, isJsonObject } from '#libs/platform';
import {
  CLIENT_AUTH_METHODS,
  type ClientAuthentication,
  clientAuthentication,
  type OfferedMethods,
} from './client-authentication.js';
import { ClientMetadataError, invalidMetadata } from './client-metadata.error.js';
import { type DisplayMetadata, displayMetadata } from './display-metadata.js';
import { optionalString, stringList } from './metadata-fields.js';
import { redirectUriFault } from './redirect-uri.js';

/** The stored part of a client's metadata (RFC 7591 §2), with all defaults filled in. */
export interface ClientMetadata extends ClientAuthentication, DisplayMetadata {
  readonly redirect_uris: string[];
  readonly grant_types: string[];
  readonly response_types: ['code'];
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

const REGISTERED: OfferedMethods = {
  methods: CLIENT_AUTH_METHODS,
  byDefault: 'client_secret_basic',
};
const PUBLISHED: OfferedMethods = { methods: ['none', 'private_key_jwt'], byDefault: 'none' };

/** The metadata of a registration request. Throws ClientMetadataError. */
export const registrationMetadata = (request: unknown): ClientMetadata =>
  normalise(request, REGISTERED);

/**
 * The client of a client-identifier metadata document (draft §4). The document has to name the URL it
 * was fetched from and must not contain or require a shared secret. Throws ClientMetadataError.
 */
export function documentMetadata(document: unknown, clientId: string): KnownClient {
  if (!isJsonObject(document)) throw invalidMetadata('the document must be a JSON object');
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

function normalise(metadata: unknown, offered: OfferedMethods): ClientMetadata {
  if (!isJsonObject(metadata)) throw invalidMetadata('client metadata must be a JSON object');
  const normalised: ClientMetadata = {
    ...displayMetadata(metadata),
    redirect_uris: redirectUris(metadata),
    grant_types: grantTypes(metadata),
    response_types: responseTypes(metadata),
    ...clientAuthentication(metadata, offered),
  };
  if (JSON.stringify(normalised).length > MAX_SIZE) {
    throw invalidMetadata(`client metadata must have at most ${MAX_SIZE} characters`);
  }
  return normalised;
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
