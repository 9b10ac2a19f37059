import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { eventually } from '#libs/platform/testing';
import { GrantStore } from '../grant/grant.store.js';
import {
  beginGrant,
  describeOAuthOnDatabases,
  describeOAuthOnPostgres,
  ORIGIN,
} from '../testbed/oauth-database.testbed.js';
import { isRefreshTokenValid } from './refresh-token.js';
import type { NewToken, PresentedToken } from './token.js';
import { TokenStore } from './token.store.js';

const HOUR = 60 * 60 * 1000;

describeOAuthOnDatabases('grants and tokens', (replicas) => {
  const open = () => replicas()[0];
  let grants: GrantStore;
  let store: TokenStore;
  let grantId: string;

  const token = (
    kind: NewToken['kind'],
    generation = 0,
    value: string = randomUUID(),
  ): NewToken => ({
    value,
    kind,
    grantId,
    generation,
    payload: { aud: ORIGIN },
    expiresAt: Date.now() + HOUR,
  });
  const inserted = async (stored: NewToken) => {
    expect(await store.insert(stored)).toBe(true);
    return stored;
  };
  const presented = async (value: string) => {
    const found = await store.findPresented(value);
    if (!found) throw new Error('not stored');
    return found;
  };
  /** Redeems a code or refresh token from the record as it was read. */
  const redeem = (found: PresentedToken, ...tokens: NewToken[]) =>
    store.redeem({ presented: found, clientHosts: null, tokens }).then(Boolean);
  /** A chain of refresh tokens of one family, each redeemed for the next. */
  const chain = async (length: number) => {
    const values = Array.from({ length }, () => 'f'.repeat(29) + randomUUID());
    const code = token('AuthorizationCode');
    await store.insert(code);
    let last = code.value;
    for (const [generation, value] of values.entries()) {
      await redeem(await presented(last), token('RefreshToken', generation, value));
      last = value;
    }
    return values;
  };
  const times = <T>(count: number, work: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, work));
  const count = (results: boolean[]) => results.filter(Boolean).length;

  beforeEach(async () => {
    const dataSource = open();
    grants = new GrantStore(dataSource);
    store = new TokenStore(dataSource, {});
    grantId = await beginGrant(dataSource);
  });

  it('knows which client a token was issued to, and does not know a token that was never issued', async () => {
    const { clientId } = await grants.get(grantId);
    for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken'] as const) {
      const { value: secret } = await inserted(token(kind));
      expect(await store.wasIssuedTo(clientId, secret)).toBe(true);
      expect(await store.wasIssuedTo(`${clientId}x`, secret)).toBe(false);
      expect(await store.wasIssuedTo(clientId, `x${secret}`)).toBe(false);
    }
    const ended = { ...token('AccessToken'), expiresAt: Date.now() - 1 };
    const { value: secret } = await inserted(ended);
    await grants.revoke(grantId);
    expect(await store.wasIssuedTo(clientId, secret)).toBe(true);
  });

  it('finds a token by itself, of its kind and on its origin only', async () => {
    const { value: secret } = await inserted(token('AccessToken'));
    expect((await store.find(secret, 'AccessToken', ORIGIN))?.payload).toEqual({ aud: ORIGIN });
    expect(await store.find(secret, 'RefreshToken', ORIGIN)).toBeUndefined();
    expect(await store.find(secret, 'AccessToken', 'http://elsewhere')).toBeUndefined();
  });

  it('revokes once under 32 parallel calls, and stores no token afterwards', async () => {
    const { value: secret } = await inserted(token('AccessToken'));
    const refresh = await presented((await inserted(token('RefreshToken'))).value);
    expect(count(await times(32, () => grants.revoke(grantId)))).toBe(1);
    expect(await store.find(secret, 'AccessToken', ORIGIN)).toBeUndefined();
    expect(await store.insert(token('AccessToken'))).toBe(false);
    const issued = token('RefreshToken', 1);
    expect(await redeem(refresh, issued)).toBe(false);
    expect(await store.findPresented(issued.value)).toBeUndefined();
  });

  it('a revocation among 64 inserts leaves no token that is found', async () => {
    const refresh = await presented((await inserted(token('RefreshToken'))).value);
    const issued = Array.from({ length: 64 }, () => token('AccessToken', 1));
    const inserts = issued.map((access, n) =>
      n % 2 === 0 ? store.insert(access) : redeem(refresh, access),
    );
    await grants.revoke(grantId);
    await Promise.all(inserts);
    const found = await Promise.all(
      issued.map(({ value }) => store.find(value, 'AccessToken', ORIGIN)),
    );
    expect(found.filter(Boolean)).toEqual([]);
  });

  it('a refresh token starts the lifetime of its grant again', async () => {
    const code = await inserted(token('AuthorizationCode'));
    const refresh = token('RefreshToken');
    await redeem(await presented(code.value), refresh);
    expect((await grants.findActive(grantId))?.expiresAt).toBe(refresh.expiresAt);
  });

  it('a generation is good until a later one was used, with parallel uses too', async () => {
    const old = await presented((await inserted(token('RefreshToken'))).value);
    const next = Array.from({ length: 32 }, () => token('RefreshToken', 1));
    expect(count(await Promise.all(next.map((issued) => redeem(old, issued))))).toBe(32);
    expect(isRefreshTokenValid((await presented(old.value)).usage)).toBe(true);
    const later = await presented(String(next.at(-1)?.value));
    expect(await redeem(later, token('RefreshToken', 2))).toBe(true);
    expect(count(await times(32, () => redeem(old, token('RefreshToken', 1))))).toBe(0);
  });

  it('of two generations that are used at once, the earlier one is never good after the later', async () => {
    const old = await presented((await inserted(token('RefreshToken'))).value);
    const next = await presented((await inserted(token('RefreshToken', 1))).value);
    const work = Array.from({ length: 32 }, (_, n) => {
      const issued = token('RefreshToken', n % 2 === 0 ? 1 : 2);
      return redeem(n % 2 === 0 ? old : next, issued);
    });
    const results = await Promise.all(work);
    expect(count(results.filter((_, n) => n % 2 === 1))).toBe(16);
    expect(await redeem(old, token('RefreshToken', 1))).toBe(false);
    const left = `grant_id = '${grantId}' AND kind = 'RefreshToken' AND generation = 2`;
    const rows = await open().query(`SELECT id_hash FROM oauth_tokens WHERE ${left}`);
    expect(rows).toHaveLength(16);
  });

  it('a delivery is confirmed once under 32 parallel calls, and never moves back or again', async () => {
    const confirmed = async () => {
      const { deliveredGeneration, deliveredAt } = await grants.get(grantId);
      return [deliveredGeneration, deliveredAt];
    };
    expect(await confirmed()).toEqual([0, null]);
    await times(32, () => grants.confirmDelivery(grantId, 2));
    const first = await confirmed();
    expect(first).toEqual([2, expect.any(Number)]);
    await times(8, () => grants.confirmDelivery(grantId, 2));
    await grants.confirmDelivery(grantId, 1);
    expect(await confirmed()).toEqual(first);
    await grants.confirmDelivery(grantId, 3);
    expect((await confirmed())[0]).toBe(3);
  });

  it('a replaced token is known by its family, on its origin, while the grant is active', async () => {
    const [old = '', next = '', last = ''] = await chain(3);
    expect(await redeem(await presented(next), token('RefreshToken', 2))).toBe(true);
    expect(await store.find(old, 'RefreshToken', ORIGIN)).toBeUndefined();
    expect((await store.findSuccessor(old, ORIGIN))?.payload).toEqual({ aud: ORIGIN });
    expect((await store.find(last, 'RefreshToken', ORIGIN))?.generation).toBe(2);
    expect(await store.findSuccessor(old, 'http://elsewhere')).toBeUndefined();
    expect(await store.findSuccessor(randomUUID(), ORIGIN)).toBeUndefined();
    for (const altered of [`${old}A`, old.slice(0, -1), `${old}\n`]) {
      expect(await store.findSuccessor(altered, ORIGIN)).toBeUndefined();
      expect(await store.findReplaced(altered)).toBeUndefined();
    }
    await grants.revoke(grantId);
    expect(await store.findSuccessor(old, ORIGIN)).toBeUndefined();
    const { clientId } = await grants.get(grantId);
    expect(await store.wasIssuedTo(clientId, old)).toBe(true);
    expect(await store.wasIssuedTo(`${clientId}x`, old)).toBe(false);
  });

  it('a grant from before families keeps its replaced tokens', async () => {
    const { value: old } = await inserted(token('RefreshToken'));
    const { value: next } = await inserted(token('RefreshToken', 1));
    expect((await grants.get(grantId)).familyHash).toBeNull();
    expect(await redeem(await presented(next), token('RefreshToken', 2))).toBe(true);
    expect(await store.find(old, 'RefreshToken', ORIGIN)).toBeDefined();
  });
});

/** Resolves when a statement of this database waits for a lock. */
async function aStatementWaits(dataSource: DataSource) {
  await eventually(async () => {
    const waiting = await dataSource.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length === 0) throw new Error('no statement waits');
  });
}

describeOAuthOnPostgres('refresh generations', (replicas) => {
  it('a token waits for a use of its successor that is under way, and is not good then', async () => {
    const [dataSource] = replicas();
    const store = new TokenStore(dataSource, {});
    const grantId = await beginGrant(dataSource);
    const stored = async (generation: number) => {
      const value = randomUUID();
      const times = { payload: {}, expiresAt: Date.now() + 60_000 };
      await store.insert({ value, kind: 'RefreshToken', grantId, generation, ...times });
      const found = await store.findPresented(value);
      if (!found) throw new Error('not stored');
      return found;
    };
    const [old, successor] = [await stored(0), await stored(1)];

    const replica = dataSource.createQueryRunner();
    await replica.startTransaction();
    await replica.query('UPDATE oauth_grants SET last_used_at = 1 WHERE id = $1', [grantId]);
    const use = 'UPDATE oauth_tokens SET consumed_at = 1 WHERE id_hash = $1';
    await replica.query(use, [hashSecret(successor.value)]);

    const used = store.redeem({ presented: old, clientHosts: null, tokens: [] }).then(Boolean);
    await Promise.race([used, aStatementWaits(dataSource)]);
    await replica.commitTransaction();
    await replica.release();
    expect(await used).toBe(false);
  });
});
