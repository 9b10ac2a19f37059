import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { startGatehouse } from '../support/gatehouse.js';
import { MachineClient, MACHINES } from '../support/machine-client.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { connectTo, introspect, REPORTS, ResourceFiles } from '../support/resource-files.js';
import { startRedisServer } from '#libs/platform/testing';

it('with Redis gone tokens of resources and machines are issued and known, and a code is good once', async () => {
  const redis = await startRedisServer();
  const files = await ResourceFiles.of(REPORTS);
  const variables = { ...files.variables, ...MACHINES, REDIS_URL: redis.url };
  const gatehouse = await startGatehouse(variables);
  try {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const { resource } = REPORTS;
    const client = await OAuthClient.register(gatehouse);
    const code = await client.authorize(browser, ['reports:read'], { resource });
    const machine = await MachineClient.create(gatehouse, new Admin(gatehouse, [], variables));
    await redis.stop();
    const exchanges = await Promise.all(Array.from({ length: 8 }, () => client.exchange(code)));
    expect(exchanges.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await machine.mcp(await machine.token())).status).toBe(200);
    const other = await connectTo(gatehouse, browser, REPORTS);
    const refreshed = await other.client.refresh(other.refresh_token);
    const { access_token: token } = refreshed.json<TokenResponse>();
    expect(await introspect(gatehouse, token, REPORTS)).toMatchObject({ active: true });
    await other.client.revoke(token);
    expect(await introspect(gatehouse, token, REPORTS)).toEqual({ active: false });
  } finally {
    await gatehouse.stop();
    await redis.stop();
    files.remove();
  }
});
