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

/** Limits of an assertion (RFC 7800, RFC 9396) without which a client could use a stolen one, or get too much. */
const UNSUPPORTED_LIMITS = ['cnf', 'authorization_details'];

type Named = Pick<TrustedIssuer, 'name'>;

/** A refused assertion. The description is for the client and tells nothing of the account; `detail` is for events. */
export class AssertionRefusal extends OAuthError {
  constructor(
    error: 'invalid_grant' | 'invalid_target' | 'invalid_scope',
    description: string,
    { name }: Partial<Named> = {},
    readonly userId: string | null = null,
    reason = description,
  ) {
    super(400, error, description, {}, name === undefined ? reason : `${name}: ${reason}`);
  }
}

export const usedBefore = (trusted: Named) =>
  new AssertionRefusal('invalid_grant', 'the jti of the assertion was used before', trusted);

const NO_ACCESS =
  'the person of the assertion has no access here; contact an administrator of this service';

/** The same answer whatever the reason. */
export const noAccess = (trusted: Named, reason: string, userId: string | null = null) =>
  new AssertionRefusal('invalid_grant', NO_ACCESS, trusted, userId, reason);

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
  const fault = (sentence: string) => new AssertionRefusal('invalid_grant', sentence, trusted);
  // 1. Its type, which no other kind of token of the issuer has (RFC 8725 §3.11).
  if (normalType(header.typ) !== TYPE) throw fault(`the typ of the assertion has to be ${TYPE}`);
  if (!trusted) throw fault('the iss of the assertion is not trusted here');
  // 2. Presented by a client that the issuer may vouch for: no other one can cause a fetch of its keys.
  if (!trusted.clients.includes(clientId)) {
    throw fault('this client may not present assertions of their issuer');
  }
  // 3. The signature, by a key of the issuer with an algorithm that is accepted, and the times.
  const algorithms = CLIENT_ASSERTION_ALGORITHMS.filter((accepted) => accepted === header.alg);
  if (algorithms.length === 0) {
    const accepted = CLIENT_ASSERTION_ALGORITHMS.join(', ');
    throw fault(`the assertion has to be signed with one of ${accepted}`);
  }
  const { payload: claims } = await jwtVerify(assertion, (signed) => keyOf(trusted, signed), {
    algorithms,
    clockTolerance: LEEWAY_S,
    requiredClaims: ['exp', 'iat'],
  }).catch((error: unknown) => {
    const sentence = faultOfVerification(error);
    throw sentence === undefined ? error : fault(sentence);
  });
  const { exp = 0, iat = 0, jti, sub, resource, scope } = claims;
  const now = Date.now() / 1000;
  if (exp > now + MAX_AHEAD_S + LEEWAY_S) {
    throw fault('the exp of the assertion has to be within 10 minutes');
  }
  if (iat > now + LEEWAY_S) throw fault('the iat of the assertion is in the future');
  // 4. For this service and this client, by the trusted tenant, and without a limit that this service does not know.
  if (!isAlone(claims.aud, audience)) {
    throw fault('the aud of the assertion has to be the issuer of this service alone');
  }
  if (claims['client_id'] !== clientId) {
    throw fault('the client_id of the assertion has to be the client that presents it');
  }
  if (claims['tenant'] !== trusted.tenant) {
    throw fault('the tenant of the assertion is another one of its issuer than the trusted one');
  }
  if (UNSUPPORTED_LIMITS.some((name) => claims[name] !== undefined)) {
    const limits = UNSUPPORTED_LIMITS.join(' or ');
    throw fault(`the assertion has ${limits}, which this service does not support`);
  }
  if (resource != null && (typeof resource !== 'string' || resource === '')) {
    throw fault('the resource of the assertion has to be a text');
  }
  if (scope !== undefined && typeof scope !== 'string') {
    throw fault('the scope of the assertion has to be a text');
  }
  // 5. Once, and for one person.
  if (typeof jti !== 'string' || jti === '') throw fault('the assertion has to have a jti');
  if (!isIdentityText(sub)) {
    throw fault(
      `the sub of the assertion has to be a text of 1 to ${MAX_IDENTITY_LENGTH} characters`,
    );
  }
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

const UNREADABLE = 'the assertion is not a signed JWT';

/** Decoding passes over white space and other characters; the signature may be empty here. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

function read(assertion: string) {
  try {
    const header = decodeProtectedHeader(assertion);
    if (!COMPACT.test(assertion) || header.crit !== undefined) throw new Error(UNREADABLE);
    return { header, iss: decodeJwt(assertion).iss };
  } catch {
    throw new AssertionRefusal('invalid_grant', UNREADABLE);
  }
}

/** RFC 7515 §4.1.9: `application/` may be left out, and the case makes no difference. */
const normalType = (typ: unknown) =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined;

/** What is wrong with an assertion that does not verify; undefined for a failure of something else. */
function faultOfVerification(error: unknown): string | undefined {
  if (error instanceof UnknownKeyError) {
    return 'the assertion is not signed with a key that its issuer publishes';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'the signature of the assertion is not valid';
  }
  if (error instanceof errors.JWTExpired) return 'the exp of the assertion is in the past';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isTooEarly = error.reason === 'check_failed';
    return `the ${error.claim} of the assertion ${isTooEarly ? 'is in the future' : 'has to be a number'}`;
  }
  return error instanceof errors.JOSEError ? UNREADABLE : undefined;
}

/** One audience: a string, or a list of it alone. */
const isAlone = (aud: JWTPayload['aud'], issuer: string) =>
  isIssuer(Array.isArray(aud) && aud.length === 1 ? aud[0] : aud, issuer);
