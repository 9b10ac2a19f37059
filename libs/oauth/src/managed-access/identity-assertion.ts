import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { CryptoKey, JWSHeaderParameters } from 'jose';
import { hashSecret, isIdentityText, MAX_IDENTITY_LENGTH } from '#libs/accounts';
import { CLIENT_ASSERTION_ALGORITHMS, isIssuer } from '../client/client-authentication.js';
import type { TrustedIssuer } from '../oauth.module-definition.js';
import { OAuthError } from '../oauth-error.js';
import { UnknownKeyError } from './issuer-keys.service.js';

/** The header `typ` of an Identity Assertion JWT Authorization Grant (ID-JAG). */
const TYPE = 'oauth-id-jag+jwt';

/** How far the clocks of an issuer and of this service may be apart. */
const LEEWAY_S = 60;
const MAX_AHEAD_S = 600;

const FAULTS = {
  unreadable: 'the assertion is not a signed JWT',
  type: `the typ of the assertion has to be ${TYPE}`,
  algorithm: `the assertion has to be signed with one of ${CLIENT_ASSERTION_ALGORITHMS.join(', ')}`,
  issuer: 'the iss of the assertion is not trusted here',
  key: 'the assertion is not signed with a key that its issuer publishes',
  signature: 'the signature of the assertion is not valid',
  audience: 'the aud of the assertion has to be the issuer of this service alone',
  client: 'the client_id of the assertion has to be the client that presents it',
  unlisted: 'this client may not present assertions of their issuer',
  resource: 'the resource of the assertion has to be a text',
  expired: 'the exp of the assertion is in the past',
  lasting: 'the exp of the assertion has to be within 10 minutes',
  issuedLater: 'the iat of the assertion is in the future',
  validLater: 'the nbf of the assertion is in the future',
  noExp: 'the exp of the assertion has to be a number',
  noIat: 'the iat of the assertion has to be a number',
  noNbf: 'the nbf of the assertion has to be a number',
  id: 'the assertion has to have a jti',
  subject: `the sub of the assertion has to be a text of 1 to ${MAX_IDENTITY_LENGTH} characters`,
  scope: 'the scope of the assertion has to be a text',
  tenant: 'the tenant of the assertion is another one of its issuer than the trusted one',
  limits: 'the assertion has cnf or authorization_details, which this service does not support',
} as const;

/** Limits of an assertion (RFC 7800, RFC 9396) without which a client could use a stolen one, or get too much. */
const UNSUPPORTED_LIMITS = ['cnf', 'authorization_details'];

/** A refused assertion. The description is for the client and tells nothing of the account; `detail` is for events. */
export class AssertionRefusal extends OAuthError {
  constructor(
    error: 'invalid_grant' | 'invalid_target' | 'invalid_scope',
    description: string,
    { name }: Partial<Pick<TrustedIssuer, 'name'>> = {},
    readonly userId: string | null = null,
    reason = description,
  ) {
    super(400, error, description, {}, name === undefined ? reason : `${name}: ${reason}`);
  }
}

const faulty = (fault: keyof typeof FAULTS, trusted?: TrustedIssuer) =>
  new AssertionRefusal('invalid_grant', FAULTS[fault], trusted);

/** What a verified assertion says. */
export interface IdentityAssertion {
  readonly trusted: TrustedIssuer;
  readonly subject: string;
  /** As the issuer spells it; undefined when it names none. */
  readonly resource: string | undefined;
  /** Undefined when the issuer does not narrow them. */
  readonly scope: string | undefined;
  /** The person's name, unchecked. */
  readonly name: unknown;
  /** Identifies the assertion; of `iss` and `jti`. */
  readonly idHash: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface Verification {
  /** The issuer of this service. */
  readonly audience: string;
  /** The client that presents the assertion. */
  readonly clientId: string;
  readonly issuers: readonly TrustedIssuer[];
  readonly keyOf: (trusted: TrustedIssuer, header: JWSHeaderParameters) => Promise<CryptoKey>;
}

/**
 * Verifies an assertion (draft-ietf-oauth-identity-assertion-authz-grant §4.4, RFC 7523 §3, RFC 8725). The caller
 * checks its resource and that it is used once. Throws AssertionRefusal, and what `keyOf` throws except UnknownKeyError.
 */
export async function verifyAssertion(
  assertion: string,
  { audience, clientId, issuers, keyOf }: Verification,
): Promise<IdentityAssertion> {
  const { header, iss } = read(assertion);
  const trusted = issuers.find(({ issuer }) => issuer === iss);
  // 1. Its type, which no other kind of token of the issuer has (RFC 8725 §3.11).
  if (normalType(header.typ) !== TYPE) throw faulty('type', trusted);
  if (!trusted) throw faulty('issuer');
  const fault = (kind: keyof typeof FAULTS) => faulty(kind, trusted);
  // 2. Presented by a client that the issuer may vouch for: no other one can cause a fetch of its keys.
  if (!trusted.clients.includes(clientId)) throw fault('unlisted');
  // 3. The signature, by a key of the issuer.
  const claims = await signedClaims(assertion, header, trusted, keyOf);
  // 4. For this service and this client, by the trusted tenant, and without a limit that this service does not know.
  if (!isAlone(claims.aud, audience)) throw fault('audience');
  if (claims['client_id'] !== clientId) throw fault('client');
  if (claims['tenant'] !== trusted.tenant) throw fault('tenant');
  if (UNSUPPORTED_LIMITS.some((name) => claims[name] !== undefined)) throw fault('limits');
  const { resource, scope } = claims;
  if (resource != null && (typeof resource !== 'string' || resource === ''))
    throw fault('resource');
  // 5. Valid now, and not for long.
  const timeFault = faultOfTimes(claims, Date.now() / 1000);
  if (timeFault) throw fault(timeFault);
  // 6. Once, and for one person.
  const { jti, sub, exp = 0 } = claims;
  if (typeof jti !== 'string' || jti === '') throw fault('id');
  if (!isIdentityText(sub)) throw fault('subject');
  if (scope !== undefined && typeof scope !== 'string') throw fault('scope');
  return {
    trusted,
    subject: sub,
    resource: resource ?? undefined,
    scope,
    name: claims['name'],
    idHash: hashSecret(JSON.stringify([TYPE, trusted.issuer, jti])),
    expiresAt: (exp + LEEWAY_S) * 1000,
  };
}

/** Decoding passes over white space and other characters; the signature may be empty here. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

function read(assertion: string) {
  try {
    const header = decodeProtectedHeader(assertion);
    if (!COMPACT.test(assertion) || header.crit !== undefined) throw faulty('unreadable');
    return { header, iss: decodeJwt(assertion).iss };
  } catch {
    throw faulty('unreadable');
  }
}

/** RFC 7515 §4.1.9: `application/` may be left out, and the case makes no difference. */
const normalType = (typ: unknown) =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined;

async function signedClaims(
  assertion: string,
  { alg }: { readonly alg?: unknown },
  trusted: TrustedIssuer,
  keyOf: Verification['keyOf'],
): Promise<JWTPayload> {
  // Before any key is fetched; `jwtVerify` holds the key to it.
  const algorithms = CLIENT_ASSERTION_ALGORITHMS.filter((accepted) => accepted === alg);
  if (algorithms.length === 0) throw faulty('algorithm', trusted);
  try {
    // The clock tolerance leaves the times to `faultOfTimes`, which says what is wrong.
    const { payload } = await jwtVerify(assertion, (header) => keyOf(trusted, header), {
      algorithms,
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    return payload;
  } catch (error) {
    if (error instanceof UnknownKeyError) throw faulty('key', trusted);
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      throw faulty('signature', trusted);
    }
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw faulty(NO_TIMES.get(error.claim) ?? 'noNbf', trusted);
    }
    if (error instanceof errors.JOSEError) throw faulty('unreadable', trusted);
    throw error;
  }
}

const NO_TIMES: ReadonlyMap<string, 'noExp' | 'noIat'> = new Map([
  ['exp', 'noExp'],
  ['iat', 'noIat'],
]);

/** One audience: a string, or a list of it alone. */
const isAlone = (aud: JWTPayload['aud'], issuer: string) =>
  isIssuer(Array.isArray(aud) && aud.length === 1 ? aud[0] : aud, issuer);

function faultOfTimes({ exp, iat, nbf }: JWTPayload, now: number) {
  if (typeof exp !== 'number') return 'noExp';
  if (typeof iat !== 'number') return 'noIat';
  if (exp <= now - LEEWAY_S) return 'expired';
  if (exp > now + MAX_AHEAD_S + LEEWAY_S) return 'lasting';
  if (iat > now + LEEWAY_S) return 'issuedLater';
  return (nbf ?? iat) > now + LEEWAY_S ? 'validLater' : undefined;
}
