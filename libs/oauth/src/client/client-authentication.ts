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
/** A check of a signature takes as long as the exponent: one as long as the modulus takes over 100 times that of 65,537. */
const MAX_RSA_EXPONENT = 2n ** 32n;

/** The 1 to 20 public keys of a client (RFC 7517 §5), standard members only. Throws ClientMetadataError. */
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
  if (isUsable(known)) return known;
  throw invalidMetadata('jwks must have valid RSA (2048 to 8192 bit), EC or OKP keys only');
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

function isUsable(key: JsonObject) {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const { modulusLength: bits, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {};
    if (bits === undefined) return true;
    if (exponent < 3n || exponent > MAX_RSA_EXPONENT || exponent % 2n === 0n) return false;
    return bits >= RSA_BITS.least && bits <= RSA_BITS.most;
  } catch {
    return false;
  }
}

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
  readonly byDefault: ClientAuthMethod;
}

/** The named method, else the first offered one (OpenID Connect RP Metadata Choices). Throws ClientMetadataError. */
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

export interface PresentedCredentials {
  readonly clientId: string;
  readonly method: ClientAuthMethod;
  readonly secret?: string;
}

/** The client of a token request and its method (RFC 6749 §2.3), in each reading. Throws OAuthError 400 and 401. */
export function presentedCredentials(
  form: URLSearchParams,
  authorization: string | undefined,
): readonly [PresentedCredentials, ...PresentedCredentials[]] {
  const assertion = form.get('client_assertion');
  const secret = form.get('client_secret') ?? undefined;
  const methods = [authorization, secret, assertion].filter(Boolean);
  if (methods.length > 1) throw invalidRequest('use one way of client authentication, not several');
  const named = form.get('client_id') ?? undefined;
  if (authorization !== undefined) return basicReadings(authorization, named);
  const clientId = named ?? (assertion ? subjectOf(assertion) : undefined);
  if (clientId === undefined) throw invalidClient('client_id is missing');
  if (assertion) {
    expectShallow(assertion);
    return [{ clientId, method: 'private_key_jwt' }];
  }
  if (secret === undefined) return [{ clientId, method: 'none' }];
  return [{ clientId, secret, method: 'client_secret_post' }];
}

function basicReadings(
  authorization: string,
  named?: string,
): [PresentedCredentials, ...PresentedCredentials[]] {
  const credentials = basicCredentials(authorization);
  if (credentials.length === 0) {
    throw invalidClient('the Authorization header could not be read', true);
  }
  const [first, ...others] = credentials
    .filter(({ id }) => named === undefined || named === id)
    .map(toPresented);
  if (!first) throw invalidRequest('client_id differs');
  return [first, ...others];
}

/** With an empty secret the client is a public one. */
const toPresented = ({ id: clientId, secret }: BasicCredentials): PresentedCredentials =>
  secret === ''
    ? { clientId, method: 'none' }
    : { clientId, secret, method: 'client_secret_basic' };

const isBySecret = (method: ClientAuthMethod) => method.startsWith('client_secret_');

/** Whether a client that is registered for a method may use another one: only the two that send its secret. */
export const isMethodAllowed = (registered: ClientAuthMethod, used: ClientAuthMethod) =>
  registered === used || (isBySecret(registered) && isBySecret(used));

export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OAuth"' };

/** 401, with a challenge when the client used the Authorization header (RFC 6749 §5.2). */
export const invalidClient = (description: string, basic = false) =>
  new OAuthError(401, 'invalid_client', description, basic ? BASIC_CHALLENGE : {});

interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/**
 * The ids and secrets that an `Authorization` value may mean: encoded as in a form (RFC 6749 §2.3.1), else as they are,
 * which many clients send. An id that is a URL has colons, and no secret. Empty when unreadable.
 */
export function basicCredentials(authorization: string): readonly BasicCredentials[] {
  const match = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization);
  // Stryker disable next-line StringLiteral: any text without a colon is refused.
  const text = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return [];
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)];
  const readings = [{ id: decoded(id), secret: decoded(secret) }];
  if (decoded(id) !== id || decoded(secret) !== secret) readings.push({ id, secret });
  if (secret.endsWith(':')) readings.push({ id: text.slice(0, -1), secret: '' });
  return readings;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function subjectOf(assertion: string): string | undefined {
  const [, claims] = partsOf(assertion);
  if (!isJsonObject(claims)) return undefined;
  return typeof claims['sub'] === 'string' ? claims['sub'] : undefined;
}

/** How far the clock of a client may be ahead. */
export const MAX_AHEAD_SECONDS = 60;
/** Generous, since an assertion is made for one request; bounds how long assertions have to be stored. */
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/** The issuer, as clients spell it: without a path, or with an empty one. */
export const isIssuer = (text: unknown, issuer: string) => text === issuer || text === `${issuer}/`;

/**
 * Which claim of a client assertion is wrong (RFC 7523 §3). Its only audience is the issuer (RFC 7523bis §4): the
 * library also accepts the endpoint and lists, so that one made for another server might pass.
 */
export function faultOfClaims(
  { iss, sub, aud, exp, iat, nbf, jti }: JsonObject,
  { clientId, issuer }: { readonly clientId: string; readonly issuer: string },
): string | undefined {
  const fault = (claim: string, rule: string) => `the ${claim} of the client assertion ${rule}`;
  const now = Date.now() / 1000;
  if (sub !== clientId) return fault('sub', 'must be the client_id');
  if (iss !== clientId) return fault('iss', 'must be the client_id');
  if (!isIssuer(aud, issuer)) return fault('aud', 'must be the issuer, and a string');
  if (typeof exp !== 'number' || exp <= now) return fault('exp', 'must be a time in the future');
  if (exp > now + MAX_LIFETIME_SECONDS) return fault('exp', 'must be within a day');
  const ahead = Object.entries({ iat, nbf }).find(
    ([, time]) =>
      time !== undefined && !(typeof time === 'number' && time <= now + MAX_AHEAD_SECONDS),
  );
  if (ahead) return fault(ahead[0], 'must be a time that is not in the future');
  if (typeof jti !== 'string' || jti === '') return fault('jti', 'must be a text');
  return undefined;
}

/** The same before the assertion is verified, of which the library would not say what is wrong. */
export function faultOfAssertion(assertion: string, owner: Parameters<typeof faultOfClaims>[1]) {
  const [, claims] = partsOf(assertion);
  return isJsonObject(claims) ? faultOfClaims(claims, owner) : undefined;
}

/** The library copies both parts by a recursion that deeper ones would let overflow. */
function expectShallow(assertion: string) {
  if (!isNestedDeeper(partsOf(assertion), MAX_ASSERTION_LEVELS)) return;
  throw invalidClient('the client assertion is nested too deep');
}

/** Header and claims, unverified; undefined for each that is no JSON. */
const partsOf = (assertion: string) =>
  assertion.split('.', 2).map((part) => parseJson(Buffer.from(part, 'base64url').toString('utf8')));
