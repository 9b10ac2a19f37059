import { fileURLToPath } from 'node:url';
import { scopes } from '../../apps/server/src/tools/scopes.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { type BearerProxy, startBearerProxy } from './bearer-proxy.js';
import { fixture } from './conformance-fixture/fixture.extension.js';
import { readResults } from './conformance-results.js';
import { ConformanceSuite } from './conformance-suite.js';

const BASELINE = fileURLToPath(new URL('./conformance-baseline.yml', import.meta.url));

interface Expected {
  /** The minimum number of checks. */
  readonly atLeast: number;
  /** Scenarios that must pass, regardless of the baseline. */
  readonly clean: readonly string[];
  /** Scenarios that check nothing on a server without sessions. */
  readonly idle: readonly string[];
}

/** By revision; for 2025-03-26 the suite only checks sessions. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  '2025-06-18': {
    atLeast: 46,
    clean: ['server-initialize', 'ping', 'tools-list', 'tools-call-with-progress'],
    idle: ['server-session-lifecycle'],
  },
  '2025-11-25': {
    atLeast: 59,
    clean: ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
    idle: ['server-session-lifecycle', 'server-sse-polling', 'server-sse-multiple-streams'],
  },
  '2026-07-28': {
    atLeast: 150,
    clean: ['server-stateless', 'tools-list', 'caching', 'http-header-validation'],
    idle: [],
  },
};

describe('@modelcontextprotocol/conformance server', () => {
  let gatehouse: Gatehouse;
  let proxy: BearerProxy;
  let suite: ConformanceSuite;

  beforeAll(async () => {
    gatehouse = await startGatehouse({}, undefined, [fixture]);
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const granted = [...scopes, ...(fixture.scopes ?? [])].map(({ name }) => name);
    const { access_token: token } = await client.connect(browser, granted);
    proxy = await startBearerProxy(gatehouse, token);
  });
  afterEach(() => suite.stop());
  afterAll(async () => {
    await proxy.close();
    await gatehouse.stop();
  });

  it.each(Object.entries(EXPECTED))(
    'fails nothing of revision %s but what the baseline gives a reason for',
    async (revision, { atLeast, clean, idle }) => {
      suite = new ConformanceSuite('server', {
        url: `${proxy.origin}/svc/mcp`,
        suite: 'all',
        'spec-version': revision,
        'expected-failures': BASELINE,
      });
      const { exitCode, output } = await suite.finish();
      const results = readResults(output);
      expect(results.clean).toEqual(expect.arrayContaining([...clean]));
      expect(results.idle).toEqual(idle);
      expect(results.passed).toBeGreaterThanOrEqual(atLeast);
      expect(output).not.toMatch(/Unexpected failures \(|Stale baseline/);
      expect(exitCode).toBe(0);
    },
  );
});
