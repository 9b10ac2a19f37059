import { DataSource } from 'typeorm';
import { CodeApp } from '../mcp/code-app.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

interface Row {
  readonly detail: string;
  readonly client_id: string | null;
  readonly grant_id: string | null;
  readonly origin: string;
  readonly credits: number | string | null;
  readonly duration_ms: number | string | null;
}

describe('audit trail of calls of tools', () => {
  let gatehouse: Gatehouse;
  let app: CodeApp;
  let userId: string;

  const until = (count: number) =>
    eventually(async () => {
      const found = await gatehouse.app
        .get(DataSource)
        .query<Row[]>(
          `SELECT * FROM audit_events WHERE type = 'tool-called' AND user_id = '${userId}' ORDER BY id`,
        );
      expect(found).toHaveLength(count);
      return found;
    });

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    app = await CodeApp.connect(gatehouse);
    userId = (await app.browser.me()).user?.id ?? '';
  });
  afterAll(() => gatehouse.stop());

  it('has tool, outcome and cost, and no argument', async () => {
    const { structured } = await app.run({ code: 'return "my secret"', timeoutMs: 1000 });
    await app.run({ code: '', timeoutMs: 1000 });
    const [done, refused] = await until(2);
    expect([done?.detail, refused?.detail]).toEqual(['run_code: done', 'run_code: refused']);
    expect(Number(done?.credits)).toBe(structured?.creditsUsed);
    expect(Number(refused?.credits)).toBe(0);
    expect(Number(done?.duration_ms)).toBeGreaterThanOrEqual(0);
    expect(done).toMatchObject({ origin: gatehouse.origin, grant_id: refused?.grant_id });
    expect(done?.client_id).toEqual(expect.any(String));
    expect(JSON.stringify([done, refused])).not.toContain('secret');
  });

  it('has one row for those of a grant that are alike', async () => {
    const codes = Array.from({ length: 20 }, (_, n) => ({ code: '', input: n }));
    await Promise.all(codes.map((code) => app.run(code)));
    await app.run({ code: 'return 1', timeoutMs: 100 });
    const found = await until(2);
    expect(found.map(({ detail }) => detail)).toEqual(['run_code: refused', 'run_code: done']);
  });
});
