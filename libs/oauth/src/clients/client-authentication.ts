import type { JsonObject } from '#libs/platform';
import { type ClientKeys, clientKeys } from './client-keys.js';
import { invalidMetadata } from './client-metadata.error.js';
import { httpsUrl, optionalString, stringList } from './metadata-fields.js';

const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

type ClientAuthMethod = (typeof METHODS)[number];

/** How clients may authenticate at the token endpoint. */
export const CLIENT_AUTH_METHODS: readonly ClientAuthMethod[] = METHODS;

/** The algorithms for signing client assertions (RFC 7523); never a symmetric one. */
export const CLIENT_ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const;

type ClientAssertionAlgorithm = (typeof CLIENT_ASSERTION_ALGORITHMS)[number];

export interface ClientAuthentication {
  readonly token_endpoint_auth_method: ClientAuthMethod;
  readonly token_endpoint_auth_signing_alg?: ClientAssertionAlgorithm;
  readonly jwks?: ClientKeys;
  readonly jwks_uri?: string;
}

export interface OfferedMethods {
  readonly methods: readonly ClientAuthMethod[];
  /** Used when the metadata names no method. */
  readonly byDefault: ClientAuthMethod;
}

/**
 * How a client authenticates: by the method it names, else by the first of its listed methods that
 * is offered (OpenID Connect RP Metadata Choices). Throws ClientMetadataError.
 */
export function clientAuthentication(
  metadata: JsonObject,
  offered: OfferedMethods,
): ClientAuthentication {
  const method = chooseMethod(metadata, offered);
  if (method !== 'private_key_jwt') return { token_endpoint_auth_method: method };
  return { token_endpoint_auth_method: method, ...signingAlgorithm(metadata), ...keys(metadata) };
}

function chooseMethod(metadata: JsonObject, { methods, byDefault }: OfferedMethods) {
  const preferred = optionalString(metadata, 'token_endpoint_auth_method');
  const choices = stringList(metadata, 'token_endpoint_auth_methods_supported') ?? [];
  if (preferred === undefined && choices.length === 0) return byDefault;
  const wanted = [preferred, ...choices];
  const chosen = wanted.map((name) => methods.find((method) => method === name)).find(Boolean);
  if (chosen) return chosen;
  throw invalidMetadata(`token_endpoint_auth_method must be one of ${methods.join(', ')}`);
}

function signingAlgorithm(metadata: JsonObject) {
  const named = optionalString(metadata, 'token_endpoint_auth_signing_alg');
  if (named === undefined) return {};
  const algorithm = CLIENT_ASSERTION_ALGORITHMS.find((supported) => supported === named);
  if (algorithm) return { token_endpoint_auth_signing_alg: algorithm };
  const supported = CLIENT_ASSERTION_ALGORITHMS.join(', ');
  throw invalidMetadata(`token_endpoint_auth_signing_alg must be one of ${supported}`);
}

function keys({ jwks, jwks_uri: jwksUri }: JsonObject) {
  if ((jwks == null) === (jwksUri == null)) {
    throw invalidMetadata('private_key_jwt takes either jwks or jwks_uri');
  }
  if (jwks != null) return { jwks: clientKeys(jwks) };
  const url = httpsUrl(jwksUri);
  if (url === undefined) throw invalidMetadata('jwks_uri must be an https URL');
  return { jwks_uri: url };
}
