import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isJsonObject, isNestedDeeper, type JsonObject, parseJson } from '#libs/platform/json';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { httpsUrl, invalidMetadata, optionalString, stringList } from './metadata-fields.js';

interface ClientKeys {
  readonly keys: readonly JsonObject[];
}

const MAX_KEYS = 20;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const TEXT_MEMBERS = new Set('kty crv x y n e kid use alg x5t x5t#S256'.split(' '));
const LIST_MEMBERS = new Set(['key_ops', 'x5c']);
const RSA_BITS = { least: 2048, most: 8192 };

/**
 * The public keys of a client (RFC 7517 §5), 1 to 20 of them, with only those members that RFC 7517
 * and RFC 7518 define and that have the right type. Throws ClientMetadataError.
 */
export function clientKeys(jwks: unknown): ClientKeys {
  const keys = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) {
    throw invalidMetadata(`jwks must have 1 to ${MAX_KEYS} keys`);
  }
  return { keys: keys.map(publicKey) };
}

/** A key of a set. Throws ClientMetadataError unless it is one that may verify signatures here. */
export function publicKey(key: unknown): JsonObject {
  if (!isJsonObject(key)) throw invalidMetadata('jwks must have an object for each key');
  if (PRIVATE_MEMBERS.some((member) => member in key)) {
    throw invalidMetadata('jwks must have public keys only');
  }
  const known = knownMembers(key);
  expectUsable(known);
  return known;
}

const knownMembers = (key: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(key).filter(
      ([member, value]) =>
        (TEXT_MEMBERS.has(member) && typeof value === 'string') ||
        (LIST_MEMBERS.has(member) && isTextList(value)),
    ),
  );

const isTextList = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

function expectUsable(key: JsonObject) {
  const bits = modulusLength(key);
  if (bits !== undefined && (bits < RSA_BITS.least || bits > RSA_BITS.most)) throw unusableKey();
}

function modulusLength(key: JsonObject) {
  try {
    const imported = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    // Stryker disable next-line OptionalChaining: a public key always has details.
    return imported.asymmetricKeyDetails?.modulusLength;
  } catch {
    throw unusableKey();
  }
}

const unusableKey = () =>
  invalidMetadata('jwks must have valid RSA (2048 to 8192 bit), EC or OKP keys only');

export const CLIENT_AUTH_METHODS = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;

type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** The algorithms for signing assertions (RFC 7523), of clients and of trusted issuers; never a symmetric one. */
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
  return {
    token_endpoint_auth_method: method,
    ...signingAlgorithm(metadata),
    ...keySource(metadata),
  };
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

function keySource({ jwks, jwks_uri: jwksUri }: JsonObject) {
  if ((jwks == null) === (jwksUri == null)) {
    throw invalidMetadata('private_key_jwt takes either jwks or jwks_uri');
  }
  if (jwks != null) return { jwks: clientKeys(jwks) };
  const url = httpsUrl(jwksUri);
  if (url === undefined) throw invalidMetadata('jwks_uri must be an https URL');
  return { jwks_uri: url };
}

/** Of the header and claims of an assertion; none needs more than a few. */
const MAX_ASSERTION_LEVELS = 20;

interface PresentedCredentials {
  readonly clientId: string;
  readonly method: ClientAuthMethod;
}

/**
 * The client that a token request claims to come from, and its authentication method (RFC 6749 §2.3).
 * Throws OAuthError: 400 for two methods at once, 401 for none or an unreadable one.
 */
export function presentedCredentials(
  form: URLSearchParams,
  authorization: string | undefined,
): PresentedCredentials {
  const assertion = form.get('client_assertion');
  const methods = [authorization, form.get('client_secret'), assertion].filter(Boolean);
  if (methods.length > 1) throw invalidRequest('use one way of client authentication, not several');
  const named = form.get('client_id') ?? undefined;
  if (authorization !== undefined) {
    const clientId = basicClientId(authorization);
    if (named !== undefined && named !== clientId) throw invalidRequest('client_id differs');
    return { clientId, method: 'client_secret_basic' };
  }
  const clientId = named ?? (assertion ? subjectOf(assertion) : undefined);
  if (clientId === undefined) throw invalidClient('client_id is missing');
  if (assertion) {
    expectShallow(assertion);
    return { clientId, method: 'private_key_jwt' };
  }
  return { clientId, method: form.has('client_secret') ? 'client_secret_post' : 'none' };
}

export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OAuth"' };

/** 401, with a challenge when the client used the Authorization header (RFC 6749 §5.2). */
export const invalidClient = (description: string, basic = false) =>
  new OAuthError(401, 'invalid_client', description, basic ? BASIC_CHALLENGE : {});

function basicClientId(authorization: string): string {
  const id = basicCredentials(authorization)?.id;
  if (id === undefined) throw invalidClient('the Authorization header could not be read', true);
  return id;
}

/**
 * The id and secret of an `Authorization` value (RFC 6749 §2.3.1), each encoded as in a form; one that cannot be
 * decoded is undefined. Undefined for another scheme and for a value without an id or without a colon.
 */
export function basicCredentials(authorization: string) {
  const match = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization);
  // Stryker disable next-line StringLiteral: any text without a colon is refused.
  const text = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { id: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function subjectOf(assertion: string): string | undefined {
  const [, claims] = partsOf(assertion);
  if (!isJsonObject(claims)) return undefined;
  return typeof claims['sub'] === 'string' ? claims['sub'] : undefined;
}

/** The library copies both parts by a recursion that deeper ones would let overflow. */
function expectShallow(assertion: string) {
  if (!isNestedDeeper(partsOf(assertion), MAX_ASSERTION_LEVELS)) return;
  throw invalidClient('the client assertion is nested too deep');
}

/** Header and claims, unverified; undefined for each that is no JSON. */
const partsOf = (assertion: string) =>
  assertion.split('.', 2).map((part) => parseJson(Buffer.from(part, 'base64url').toString('utf8')));
