import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { resourceOf } from '../resource/resource.js';
import { beginGrant, describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { TokenStore } from '../token/token.store.js';
import { OAuth0006Migration1795450000001 } from './oauth-0006.migration.js';

const { name } = new OAuth0006Migration1795450000001();

/** The database as the version before further resources left it. */
async function goBack(dataSource: DataSource) {
  const isThere = async () => {
    const rows: unknown[] = await dataSource.query(
      `SELECT name FROM migrations WHERE name = '${name}'`,
    );
    return rows.length > 0;
  };
  while (await isThere()) await dataSource.undoLastMigration();
}

describeOAuthOnDatabases('the migrations for further resources', (replicas) => {
  it('keep every grant and token, which are for /svc/mcp', async () => {
    const [dataSource] = replicas();
    const grantId = await beginGrant(dataSource);
    const tokens = new TokenStore(dataSource, {});
    const stored = { grantId, generation: 0, expiresAt: Date.now() + 60_000 };
    const payload = { aud: resourceOf(ORIGIN), scope: 'account:read' };
    const [access, refresh] = [randomUUID(), randomUUID()];
    await tokens.insert({ ...stored, payload, value: access, kind: 'AccessToken' });
    await tokens.insert({ ...stored, payload, value: refresh, kind: 'RefreshToken' });

    await goBack(dataSource);
    await expect(dataSource.query('SELECT resource FROM oauth_grants')).rejects.toThrow();
    await dataSource.runMigrations();

    const grant = { grantId, audience: resourceOf(ORIGIN), scopes: ['account:read'] };
    expect(await tokens.findAccessToken(access)).toMatchObject({ issuer: ORIGIN, grant });
    expect(await tokens.findPresented(refresh)).toMatchObject({
      kind: 'RefreshToken',
      grant: { id: grantId, resource: null, scope: 'account:read', revokedAt: null },
    });
  });
});
