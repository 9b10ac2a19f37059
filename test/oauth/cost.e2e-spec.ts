import { Browser } from '../support/browser.js';
import { startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { statementsIn } from '../support/statements.js';

describe('what token requests cost', () => {
  it('whether an account is disabled or a client blocked costs no statement of its own', async () => {
    const gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: token } = await client.connect(browser);
    const asking = (statements: readonly string[]) =>
      statements.filter((sql) => /disabled_at|oauth_blocks/.test(sql));
    const once = [expect.stringMatching(/^SELECT .*disabled_at.*oauth_blocks/)];
    expect(asking(await statementsIn(gatehouse, () => client.refresh(token)))).toEqual(once);
    const code = await client.authorize(browser);
    expect(asking(await statementsIn(gatehouse, () => client.exchange(code)))).toEqual(once);
    await gatehouse.stop();
  });
});
