import { Provider } from 'oidc-provider';
import type { GrantsService } from '../grant/grant.store.js';
import type { TokenReplayService } from '../token/token-replay.service.js';

export interface GrantRevocationParts {
  readonly grants: GrantsService;
  readonly replays: TokenReplayService;
}

/** Ends a grant for the library. At the token endpoint the library revokes only because of a replay. */
export async function revokeGrant(
  { grants, replays }: GrantRevocationParts,
  grantId: string,
): Promise<void> {
  if (Provider.ctx?.oidc.route === 'token') await replays.endReplayed(grantId);
  else await grants.revoke(grantId);
}
