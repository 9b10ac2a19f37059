import { randomUUID } from 'node:crypto';
import type { SecurityEventsService } from '#libs/accounts';
import { beginGrant, describeOnDatabases, ORIGIN } from '../grants/grants-database.testbed.js';
import { GrantEntity } from '../grants/grant.entity.js';
import { GrantsService } from '../grants/grants.service.js';
import { RefreshGenerations } from '../grants/refresh-generations.sql.js';
import { TokenReplayService } from '../grants/token-replay.service.js';
import { SqlTokenStore } from '../grants/token-store.sql.js';
import { AuthorizationCodeAdapter } from './authorization-code.adapter.js';
import { RefreshTokenAdapter } from './refresh-token.adapter.js';

describeOnDatabases('codes and refresh tokens that are used again', (open) => {
  let grants: GrantsService;
  let codes: AuthorizationCodeAdapter;
  let refreshTokens: RefreshTokenAdapter;
  let grantId: string;
  let events: object[];

  const payload = (rotations = 0) => ({
    grantId,
    rotations,
    exp: Math.ceil(Date.now() / 1000) + 60,
  });
  const isActive = async () => (await grants.findActive(grantId)) !== undefined;
  const refused = { error: 'invalid_grant' };

  beforeEach(async () => {
    const dataSource = open();
    grants = new GrantsService(dataSource);
    const tokens = new SqlTokenStore(dataSource, {});
    events = [];
    const listener = { emit: (event: object) => void events.push(event) };
    const replays = new TokenReplayService(
      tokens,
      new RefreshGenerations(dataSource),
      grants,
      listener as unknown as SecurityEventsService,
    );
    const parts = { tokens, grants, replays, origin: ORIGIN };
    codes = new AuthorizationCodeAdapter(parts);
    refreshTokens = new RefreshTokenAdapter(parts);
    grantId = await beginGrant(dataSource);
  });

  describe('a code', () => {
    let code: string;

    beforeEach(async () => {
      code = randomUUID();
      await codes.upsert(code, payload());
    });

    it('of exchanges that all found it unused one wins, and the losers revoke nothing', async () => {
      for (const _exchange of ['winner', 'loser', 'loser']) {
        expect(await codes.find(code)).toMatchObject({ grantId });
      }
      await codes.consume(code);
      await expect(codes.consume(code)).rejects.toMatchObject(refused);
      await expect(codes.consume(code)).rejects.toMatchObject(refused);
      expect([await isActive(), events]).toEqual([true, []]);
    });

    it('is unknown while its exchange is under way, so that nobody revokes what the winner gets', async () => {
      await codes.consume(code);
      expect(await codes.find(code)).toBeUndefined();
      expect(await isActive()).toBe(true);
    });

    it('is known as used when it gave its tokens, so that the library revokes them', async () => {
      await codes.consume(code);
      await refreshTokens.upsert(randomUUID(), payload());
      expect(await codes.find(code)).toMatchObject({ consumed: true });
    });
  });

  describe('a refresh token', () => {
    let old: string;
    let next: string;

    beforeEach(async () => {
      [old, next] = [randomUUID(), randomUUID()];
      await refreshTokens.upsert(old, payload(0));
      await refreshTokens.consume(old);
      await refreshTokens.upsert(next, payload(1));
    });

    it('is good until its successor was used, and known as used afterwards', async () => {
      expect(await refreshTokens.find(old)).not.toHaveProperty('consumed');
      await refreshTokens.consume(next);
      expect(await refreshTokens.find(old)).toMatchObject({ consumed: true });
    });

    it.each([
      ['its row is gone', false],
      ['its row stays, for want of a family', true],
    ])(
      'that was good when it was found and is replaced when it is used: %s',
      async (_row, stays) => {
        if (stays) await open().manager.update(GrantEntity, { id: grantId }, { familyHash: null });
        expect(await refreshTokens.find(old)).not.toHaveProperty('consumed');
        await refreshTokens.consume(next);
        await expect(refreshTokens.consume(old)).rejects.toMatchObject(refused);
        expect(await isActive()).toBe(false);
        expect(events).toEqual([expect.objectContaining({ type: 'token-replayed', grantId })]);
      },
    );

    it('of a grant that ended since it was found: refused, and nothing to report', async () => {
      expect(await refreshTokens.find(old)).toBeDefined();
      await grants.revoke(grantId);
      await expect(refreshTokens.consume(old)).rejects.toMatchObject(refused);
      expect(events).toEqual([]);
    });
  });
});
