import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

describe('with the SQL database gone', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(() => gatehouse.stop());

  it('what needs it is 503, nobody is told that they are signed out, and it comes back', async () => {
    const attestation = await new Browser(gatehouse).attest();
    const assertion = await browser.assert();
    const dataSource = gatehouse.app.get(DataSource);
    await dataSource.destroy();
    const answers = await Promise.all([
      browser.get('/svc/auth/me'),
      browser.post('/svc/auth/logout'),
      browser.post('/svc/auth/register/options', {}),
      browser.post('/svc/auth/register/verify', attestation),
      browser.post('/svc/auth/login/verify', assertion),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.json()['error']).toContain('try again');
      expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    }
    await dataSource.initialize();
    expect((await browser.me()).user).not.toBeNull();
    expect((await browser.signIn()).status).toBe(200);
  });

  it('an error that nobody expected is 500 with a request id and nothing else', async () => {
    const dataSource = gatehouse.app.get(DataSource);
    await dataSource.query('ALTER TABLE sessions RENAME TO sessions_elsewhere');
    const answer = await browser.get('/svc/auth/me');
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual({
      error: expect.stringMatching(/^internal error \(request [0-9a-f-]{36}\)$/),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    await dataSource.query('ALTER TABLE sessions_elsewhere RENAME TO sessions');
    expect((await browser.me()).user).not.toBeNull();
  });
});
