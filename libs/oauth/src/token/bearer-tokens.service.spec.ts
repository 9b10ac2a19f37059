import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { GrantStore } from '../grant/grant.store.js';
import { resourceOf } from '../resource/resource.js';
import { beginGrant, describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { MachineTokenStore } from '../machine/machine-token.store.js';
import { BearerTokensService } from './bearer-tokens.service.js';
import { TokenStore } from './token.store.js';

const TARGET = { issuer: ORIGIN, audience: resourceOf(ORIGIN) };

describeOAuthOnDatabases('access tokens', (replicas) => {
  const open = () => replicas()[0];
  let tokens: BearerTokensService;
  let grantId: string;
  let confirmed: jest.SpiedFunction<GrantStore['confirmDelivery']>;
  let complaints: string[];

  /** Stores an access token of a generation and returns it. */
  const issue = async (generation: number) => {
    const value = randomUUID();
    const payload = { aud: TARGET.audience, scope: 'account:read' };
    const expiresAt = Date.now() + 60_000;
    const stored = { value, grantId, generation, payload, expiresAt };
    await new TokenStore(open(), {}).insert({ ...stored, kind: 'AccessToken' });
    return value;
  };
  const delivered = async () => (await new GrantStore(open()).get(grantId)).deliveredGeneration;

  beforeEach(async () => {
    grantId = await beginGrant(open());
    const grants = new GrantStore(open());
    confirmed = jest.spyOn(grants, 'confirmDelivery');
    const machines = new MachineTokenStore(open());
    tokens = new BearerTokensService(new TokenStore(open(), {}), grants, machines, {});
    complaints = [];
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => {
      complaints.push(String(text));
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it('of one app count as one holder once they were found, others each for itself', async () => {
    const { userId: account } = await new GrantStore(open()).get(grantId);
    const [one, other] = [await issue(0), await issue(0)];
    expect(tokens.holderOf(one).id).not.toBe(tokens.holderOf(other).id);
    for (const token of [one, other]) {
      await tokens.find(token, TARGET);
      expect(tokens.holderOf(token)).toEqual({ by: 'app', id: grantId, account });
    }
  });

  it('of the first generation are never confirmed', async () => {
    expect(await tokens.find(await issue(0), TARGET)).toMatchObject({ grant: { grantId } });
    expect(confirmed).not.toHaveBeenCalled();
  });

  it('of a later one are confirmed once, and those of earlier ones not at all', async () => {
    const [second, third] = [await issue(1), await issue(2)];
    await tokens.find(third, TARGET);
    for (const token of [third, second, third]) await tokens.find(token, TARGET);
    expect(confirmed.mock.calls).toEqual([[grantId, 2]]);
    expect(await delivered()).toBe(2);
  });

  it.each([
    ['for another resource', { ...TARGET, audience: `${TARGET.audience}/` }],
    ['of another issuer', { ...TARGET, issuer: 'http://127.0.0.1:3000' }],
  ])('%s are neither good nor confirmed', async (_what, target) => {
    expect(await tokens.find(await issue(1), target)).toBeUndefined();
    expect([await delivered(), confirmed.mock.calls]).toEqual([0, []]);
  });

  it('are good when they cannot be confirmed, which is logged once, and confirmed when it works again', async () => {
    const token = await issue(1);
    confirmed.mockRejectedValueOnce(new Error('disk full')).mockRejectedValueOnce(new Error('x'));
    expect(await tokens.find(token, TARGET)).toMatchObject({ grant: { grantId } });
    expect(await tokens.find(token, TARGET)).toMatchObject({ grant: { grantId } });
    expect([complaints, await delivered()]).toEqual([[expect.stringContaining('disk full')], 0]);
    await tokens.find(token, TARGET);
    expect(await delivered()).toBe(1);
  });
});
