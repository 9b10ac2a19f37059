import type { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { signedUp, typesOf } from './own-account.js';

describe('PATCH /svc/me (contract: Own account)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(async () => {
    browser = await signedUp(gatehouse);
  });

  it('gives the account another name, normalised', async () => {
    const id = (await browser.me()).user?.id;
    const answer = await browser.send('PATCH', '/svc/me', { displayName: '  Zoe\u0308   Q ' });
    expect([answer.status, answer.json()]).toEqual([200, { user: { id, displayName: 'Zoë Q' } }]);
    expect((await browser.me()).user).toEqual({ id, displayName: 'Zoë Q' });
    await eventually(async () =>
      expect(await typesOf(gatehouse, id)).toEqual(['sign-up', 'display-name-changed']),
    );
  });

  it('401 | the session ends while the body is open, and nothing changes', async () => {
    const other = browser.at(gatehouse);
    other.cookie = undefined;
    await other.signIn();
    const held = await holdBody(gatehouse, browser, '/svc/me', {
      method: 'PATCH',
      type: 'application/json',
      body: '{"displayName":"Mallory"}',
    });
    expect((await other.send('DELETE', '/svc/me/sessions')).status).toBe(204);
    expect((await held.finish()).status).toBe(401);
    expect((await other.me()).user?.displayName).toBe('Ann');
  });

  it.each([{}, { displayName: 'x'.repeat(41) }])(
    '400 | a display name that registration refuses too: %j',
    async (fields) => {
      const answer = await browser.send('PATCH', '/svc/me', fields);
      expect([answer.status, answer.json()]).toEqual([
        400,
        { error: expect.stringMatching(/^displayName /) },
      ]);
      expect((await browser.me()).user?.displayName).toBe('Ann');
    },
  );
});
