import { randomUUID } from 'node:crypto';
import type { Adapter } from 'oidc-provider';
import type { SecurityEventsService } from '#libs/accounts';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { beginGrant, describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { ReuseDetectionService } from '../token/reuse-detection.service.js';
import type { TokenKind } from '../token/token.entity.js';
import type { PresentedToken } from '../token/token.js';
import { TokenStore } from '../token/token.store.js';
import { tokenAdapter } from './provider-storage.js';

describeOAuthOnDatabases('codes and refresh tokens that are used again', (replicas) => {
  const open = () => replicas()[0];
  let grants: GrantStore;
  let codes: Adapter;
  let refreshTokens: Adapter;
  let grantId: string;
  let reuse: ReuseDetectionService;
  let tokens: TokenStore;
  let events: object[];

  /** The record of a code or refresh token that a request reads first. */
  const read = async (value: string) => {
    const found = await tokens.findPresented(value);
    if (!found) throw new Error('not stored');
    return found;
  };
  const newToken = (kind: TokenKind, generation = 0) => ({
    value: 'f'.repeat(29) + randomUUID(),
    kind,
    grantId,
    generation,
    payload: { grantId },
    expiresAt: Date.now() + 60_000,
  });
  const storedCode = async () => {
    const code = newToken('AuthorizationCode');
    expect(await tokens.insert(code)).toBe(true);
    return code.value;
  };
  /** Redeems for a refresh token of the next generation and returns that. */
  const redeem = async (presented: PresentedToken, generation: number) => {
    const issued = newToken('RefreshToken', generation);
    const redemption = { presented, clientHosts: null, tokens: [issued] };
    return (await reuse.redeem(redemption)) ? issued.value : undefined;
  };
  const isActive = async () => (await grants.findActive(grantId)) !== undefined;

  beforeEach(async () => {
    const dataSource = open();
    grants = new GrantStore(dataSource);
    tokens = new TokenStore(dataSource, {});
    events = [];
    const listener = { emit: (event: object) => void events.push(event) };
    reuse = new ReuseDetectionService(tokens, grants, listener as unknown as SecurityEventsService);
    const stores = { tokens, grants, reuse, origin: ORIGIN };
    codes = tokenAdapter('AuthorizationCode', stores);
    refreshTokens = tokenAdapter('RefreshToken', stores);
    grantId = await beginGrant(dataSource);
  });

  describe('a code', () => {
    let code: string;

    beforeEach(async () => {
      code = await storedCode();
    });

    it('of exchanges that all found it unused one wins, and the losers revoke nothing', async () => {
      const [winner, ...losers] = [await read(code), await read(code), await read(code)];
      expect(await codes.find(code)).toMatchObject({ grantId });
      expect(await redeem(winner, 0)).toBeDefined();
      for (const loser of losers) expect(await redeem(loser, 0)).toBeUndefined();
      expect([await isActive(), events]).toEqual([true, []]);
    });

    it('that an older replica used without storing tokens yet is unknown, so that its tokens are not revoked', async () => {
      await open().query(`UPDATE oauth_tokens SET consumed_at = 1 WHERE grant_id = '${grantId}'`);
      expect(await codes.find(code)).toBeUndefined();
      expect(await isActive()).toBe(true);
    });

    it('is known as used when it gave its tokens, so that the library revokes them', async () => {
      await redeem(await read(code), 0);
      expect(await codes.find(code)).toMatchObject({ consumed: true });
    });

    it('is not used by a request that does not present it', async () => {
      await expect(codes.consume(code)).rejects.toMatchObject({ error: 'invalid_grant' });
    });
  });

  describe('a refresh token', () => {
    let old: string;
    let next: string;

    beforeEach(async () => {
      old = String(await redeem(await read(await storedCode()), 0));
      next = String(await redeem(await read(old), 1));
    });

    it('is valid until its successor was used, and known as used afterwards', async () => {
      expect(await refreshTokens.find(old)).not.toHaveProperty('consumed');
      await redeem(await read(next), 2);
      expect(await refreshTokens.find(old)).toMatchObject({ consumed: true });
    });

    it.each([
      ['its row is gone', false],
      ['its row stays, since its grant has no family', true],
    ])(
      'that was valid when it was found and is replaced when it is used: %s',
      async (_row, stays) => {
        if (stays) await open().manager.update(GrantEntity, { id: grantId }, { familyHash: null });
        expect(await refreshTokens.find(old)).not.toHaveProperty('consumed');
        const late = await read(old);
        expect(await redeem(await read(next), 2)).toBeDefined();
        expect(await redeem(late, 1)).toBeUndefined();
        expect(await isActive()).toBe(false);
        expect(events).toEqual([expect.objectContaining({ type: 'token-replayed', grantId })]);
      },
    );

    it('of a grant that ended since it was found: refused, and nothing to report', async () => {
      const late = await read(old);
      await grants.revoke(grantId);
      expect(await redeem(late, 1)).toBeUndefined();
      expect(events).toEqual([]);
    });
  });
});
