import { fileURLToPath } from 'node:url';
import { scopes } from '../../apps/server/src/tools/scopes.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { type BearerProxy, startBearerProxy } from './bearer-proxy.js';
import { ConformanceSuite } from './conformance-suite.js';

const BASELINE = fileURLToPath(new URL('./conformance-baseline.yml', import.meta.url));

/** By revision, what has to pass whatever the baseline says. */
const PASSING = {
  '2025-03-26': ['server-session-lifecycle'],
  '2025-06-18': ['server-initialize', 'ping', 'tools-list'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'http-header-validation'],
};

describe('@modelcontextprotocol/conformance server', () => {
  let gatehouse: Gatehouse;
  let proxy: BearerProxy;
  let suite: ConformanceSuite;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const granted = scopes.map(({ name }) => name);
    const { access_token: token } = await client.connect(browser, granted);
    proxy = await startBearerProxy(gatehouse, token);
  });
  afterEach(() => suite.stop());
  afterAll(async () => {
    await proxy.close();
    await gatehouse.stop();
  });

  it.each(Object.entries(PASSING))(
    'fails nothing of revision %s but what the baseline gives a reason for',
    async (revision, passing) => {
      suite = new ConformanceSuite('server', {
        url: `${proxy.origin}/svc/mcp`,
        suite: 'all',
        'spec-version': revision,
        'expected-failures': BASELINE,
      });
      const { exitCode, output } = await suite.finish();
      for (const scenario of passing) {
        expect(output).toMatch(new RegExp(`^✓ ${scenario}: \\d+ passed, 0 failed`, 'm'));
      }
      expect(output).not.toMatch(/Unexpected failures \(|Stale baseline/);
      expect(exitCode).toBe(0);
    },
  );
});
