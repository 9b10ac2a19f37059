import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';

const VERIFY = '/svc/auth/register/verify';

describe('a further passkey of a session that ends meanwhile (contract: Registration)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  /** Another device that is signed in by the same session. */
  let phone: Browser;

  const database = () => gatehouse.app.get(DataSource);
  const passkeys = () => database().manager.count('credentials');
  const cases: [string, () => Promise<unknown>][] = [
    ['signed out', () => browser.post('/svc/auth/logout')],
    ['replaced by a sign-in', () => browser.signIn()],
    ['expired', () => database().query('UPDATE sessions SET expires_at = 1')],
  ];

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    await database().manager.deleteAll('credentials');
    browser = new Browser(gatehouse);
    await browser.signUp();
    phone = new Browser(gatehouse);
    phone.cookie = browser.cookie;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => gatehouse.stop());

  it.each(cases)('403, %s while the body is open', async (_how, end) => {
    const body = JSON.stringify(await phone.attest({}, {}));
    const held = await holdBody(gatehouse, phone, VERIFY, { type: 'application/json', body });
    await end();
    expect((await held.finish()).status).toBe(403);
    expect(await passkeys()).toBe(1);
  });

  it.each(cases)('403, %s right before it is written', async (_how, end) => {
    const source = database();
    const response = await phone.attest({}, {});
    const transaction = source.transaction.bind(source) as (work: never) => Promise<unknown>;
    jest.spyOn(source, 'transaction').mockImplementationOnce(async (...work: unknown[]) => {
      await end();
      return transaction(work[0] as never);
    });
    expect((await phone.post(VERIFY, response)).status).toBe(403);
    expect(await passkeys()).toBe(1);
  });
});
