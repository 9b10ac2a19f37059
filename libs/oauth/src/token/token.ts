import type { User } from '#libs/accounts';
import type { KnownClient } from '../client/client.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import type { GrantParties } from '../grant/grant.js';
import type { GivenScopes, PausedBy } from '../grant/permission.js';
import { isRefreshTokenValid, type RefreshUsage } from './refresh-token.js';
import type { TokenEntity, TokenKind } from './token.entity.js';

/** A code or token that is about to be stored; `value` is the token or code itself. */
export type NewToken = Readonly<
  Omit<TokenEntity, 'idHash' | 'grant' | 'createdAt' | 'consumedAt'>
> & { readonly value: string };

/** How an access token differs from what its grant has, as both are stored; each is a list of scopes. */
export interface TokenBounds {
  /** What its refresh did not ask for. It has the others of its grant, also those that are given later. */
  readonly leftOut?: string;
  /** Those of `leftOut` that the access policy withholds: its person is not asked for them either. */
  readonly withheld?: string;
  /** What the assertion for it gave. It has these alone, while another assertion may give other ones. */
  readonly given?: string;
}

/** Of what is stored of an access token, the members that its look-up reads. */
export interface TokenPayload extends TokenBounds {
  readonly aud?: unknown;
  readonly scope?: string;
  readonly iat?: number;
}

/** Whether an administrator suspends the use of a grant, by disabling its user or blocking its client. */
export interface GrantStatus {
  readonly grant: Pick<GrantEntity, 'userId' | 'clientId' | 'clientHosts'>;
  readonly isUserDisabled: boolean;
  /** By its id, or by one of its redirect hosts as the grant has them. */
  readonly isClientBlocked: boolean;
}

/** A presented code or token with everything that decides whether it is valid, read in one statement. */
export interface PresentedToken
  extends GrantStatus, Pick<TokenEntity, 'kind' | 'generation' | 'payload'> {
  readonly value: string;
  readonly grant: GrantParties &
    GivenScopes &
    Pick<GrantEntity, 'id' | 'endsAt' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>;
  /** The client of the grant as registered; undefined when it has expired or has a document. */
  readonly client: KnownClient | undefined;
  readonly isClientDue: boolean;
  /** Whether its grant has a refresh token, so its code was exchanged. */
  readonly isExchanged: boolean;
  readonly usage: RefreshUsage;
}

export interface LookedUpToken {
  readonly value: string;
  readonly token: PresentedToken | undefined;
  /** Whether it has no row because a later refresh token replaced it. */
  readonly isReplaced: boolean;
}

/** What the library issued for what was presented; until `TokenStore.redeem` writes it at once nothing is used up. */
export interface IssuedTokens {
  readonly presented: PresentedToken;
  /** The redirect hosts that the client has now, as JSON. */
  readonly clientHosts: string | null;
  readonly tokens: readonly NewToken[];
}

/** Whether a token is of a kind, and its grant belongs to an origin and is not revoked. */
export const hasKindAndOrigin = (
  { kind, grant }: PresentedToken,
  wanted: TokenKind,
  origin: string,
) => kind === wanted && grant.origin === origin && grant.revokedAt === null;

/** Another use of a code is a replay once its exchange issued tokens; until then `in-use`, by a parallel one. */
export function usabilityOf({ kind, isExchanged, usage }: PresentedToken) {
  if (kind !== 'AuthorizationCode') return isRefreshTokenValid(usage) ? 'usable' : 'replayed';
  if (!usage.isUsed) return 'usable';
  return isExchanged ? 'replayed' : 'in-use';
}

/** Room for a resource, a client id and scopes of the greatest length each. */
export const MAX_JWT_LENGTH = 8192;

/** Whether a text has the form of a JWT that is signed (RFC 7519 §3); no token of another kind has it. */
export const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** Whether a text is 256 bits in base64url, the form that the authorization server issues. */
export const isOpaque = (token: string) => /^[A-Za-z0-9_-]{43}$/.test(token);

/** What a valid access token grants, to whom and for which resource. */
export interface AccessGrant {
  readonly grantId: string;
  readonly clientId: string;
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  readonly audience: string;
  /** What its person allows now, also where each call needs their yes. */
  readonly scopes: readonly string[];
  /** Those of the scopes whose calls each need a yes of the person. */
  readonly ask: readonly string[];
  /**
   * Whether a call that needs this scope, which `scopes` lack, becomes a request to the person; it is refused
   * otherwise, as for a scope that the token's refresh left out, and for one that a trusted issuer does not give.
   */
  readonly mayAskFor: (scope: string) => boolean;
  readonly pausedBy: PausedBy;
  /** The most that it may charge on a UTC day, within the account's limit; null for no limit of its own. */
  readonly dailyCredits: number | null;
  /** When the grant ends unless it is refreshed before, in epoch milliseconds. */
  readonly endsAt: number;
  /** @internal Of the token. */
  readonly bounds: TokenPayload;
}

type DecidedByPerson = Pick<
  AccessGrant,
  'ask' | 'mayAskFor' | 'pausedBy' | 'dailyCredits' | 'bounds'
>;

/** What a valid access token of a machine client grants: nothing of any user. */
interface MachineAccess
  extends
    Omit<AccessGrant, 'grantId' | 'user' | keyof DecidedByPerson>,
    Partial<Record<'grantId' | 'user' | keyof DecidedByPerson, undefined>> {}

export type Access = AccessGrant | MachineAccess;

/** The account of a machine client, which has a budget and limits of its own; no user has this id. */
export const machineAccountOf = (clientId: string) => `client:${clientId}`;

export const accountOf = ({ user, clientId }: Access): string =>
  user?.id ?? machineAccountOf(clientId);

export interface TokenTarget {
  /** The origin that issued it. */
  readonly issuer: string;
  readonly audience: string;
}

/** An access token of a person or a machine, with what it grants. */
export interface ValidToken {
  /** In epoch seconds. */
  readonly issuedAt: number;
  /** In epoch milliseconds. */
  readonly expiresAt: number;
  readonly grant: Access;
}

/** An access token whose grant is not revoked, whose user is enabled and whose client is not blocked; maybe expired. */
export interface StoredAccessToken extends ValidToken {
  /** The origin that issued it. */
  readonly issuer: string;
  readonly generation: number;
  /** The latest generation of which an access token was used. */
  readonly deliveredGeneration: number;
  readonly grant: AccessGrant;
}
