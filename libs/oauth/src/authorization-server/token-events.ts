import type { SecurityEvent } from '#libs/accounts';
import type { ProviderResponse } from '../oidc-provider/provider-call.adapter.js';

type Answer = Pick<ProviderResponse, 'context'>;

/** The security event of a token response: a code exchange or a refresh. */
export function eventOfIssue({ context }: Answer, origin: string): SecurityEvent | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshed } = context.oidc.entities;
  if (code) return { type: 'code-exchanged', ...grantOf(code), origin };
  return refreshed && { type: 'token-refreshed', ...grantOf(refreshed), origin };
}

/** The security event of a revocation; undefined when it had no effect (RFC 7009 §2.2). */
export function eventOfRevocation({ context }: Answer, origin: string): SecurityEvent | undefined {
  const { AccessToken, RefreshToken, Client } = context.oidc.entities;
  const token = AccessToken ?? RefreshToken;
  if (!token || token.clientId !== Client?.clientId) return undefined;
  return { type: 'token-revoked', ...grantOf(token), origin };
}

interface Token {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
}

const grantOf = ({ accountId = '', clientId = '', grantId = '' }: Token) => ({
  userId: accountId,
  clientId,
  grantId,
});
