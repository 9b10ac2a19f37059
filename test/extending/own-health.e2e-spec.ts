import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { StockService } from '../../examples/team/src/stock.service.js';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { eventually } from '#libs/platform/testing';
import { startTeamApp } from './team-app.js';
import { askManagement } from '../support/management.js';

type TeamApp = Awaited<ReturnType<typeof startTeamApp>>;

describe('health of a team', () => {
  let team: TeamApp;

  const get = (path: string) => askManagement(team, path);

  beforeAll(async () => {
    team = await startTeamApp(acme, { MANAGEMENT_PORT: '0' });
  });
  afterAll(() => team.stop());

  it('decides with that of the storages whether the service is ready', async () => {
    const stock = team.app.get(StockService, { strict: false });
    const becomes = (code: number, status: string) =>
      eventually(async () => {
        const ready = await get('/readyz');
        expect([ready.status, ready.json()]).toMatchObject([
          code,
          { dependencies: { database: { status: 'up' }, stock: { status } } },
        ]);
      });
    await becomes(200, 'up');
    stock.isReachable = false;
    await becomes(503, 'down');
    stock.isReachable = true;
    await becomes(200, 'up');
  });

  it('is shown among the metrics, with metrics of its own', async () => {
    const samples = parseMetrics((await get('/metrics')).text);
    expect(valueOf(samples, 'gatehouse_dependency_up', { dependency: 'stock' })).toBe(1);
    expect(valueOf(samples, 'acme_stock_questions_total')).toBeGreaterThan(0);
  });
});
