import { Receiver } from '../events/receiver.js';
import { CodeApp } from '../mcp/code-app.js';
import { startAdministered } from '../support/admin-api.js';
import { eventually } from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { auditRows } from './audit-rows.js';

describe('audit trail of calls of tools', () => {
  let receiver: Receiver;
  let gatehouse: Gatehouse;
  let app: CodeApp;
  let userId: string;

  const calls = async () =>
    (await auditRows(gatehouse, { user: userId })).filter(({ type }) => type === 'tool-called');

  beforeAll(async () => {
    receiver = await Receiver.start();
    gatehouse = await startAdministered(receiver.variables);
  });
  beforeEach(async () => {
    app = await CodeApp.connect(gatehouse);
    userId = (await app.browser.me()).user?.id ?? '';
  });
  afterAll(async () => {
    await gatehouse.stop();
    receiver.stop();
  });

  it('has tool, outcome and cost, and no argument', async () => {
    const { structured } = await app.run({ code: 'return "my secret"', timeoutMs: 1000 });
    await app.run({ code: '', timeoutMs: 1000 });
    const [done, refused] = await eventually(() => {
      const told = receiver.of(userId).filter(({ type }) => type === 'tool-called');
      expect(told).toHaveLength(2);
      return told.map(({ data }) => data);
    });
    expect([done?.detail, refused?.detail]).toEqual(['run_code: done', 'run_code: refused']);
    expect([done?.credits, refused?.credits]).toEqual([structured?.creditsUsed, 0]);
    expect(done?.durationMs).toBeGreaterThanOrEqual(0);
    expect(done).toMatchObject({ origin: gatehouse.origin, grant: refused?.grant });
    expect(done?.client).toEqual(expect.any(String));
    expect(JSON.stringify([done, refused, await calls()])).not.toContain('secret');
  });

  it('has one row for those of a grant that are alike', async () => {
    const codes = Array.from({ length: 20 }, (_, n) => ({ code: '', input: n }));
    await Promise.all(codes.map((code) => app.run(code)));
    await app.run({ code: 'return 1', timeoutMs: 100 });
    await eventually(async () => {
      const found = (await calls()).map(({ detail }) => detail);
      expect(found).toEqual(['run_code: refused', 'run_code: done']);
    });
  });
});
