import { readFile } from 'node:fs/promises';
import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

const FILE = new URL('../../ops/grafana/gatehouse.json', import.meta.url);
const METRIC = /\b(?:gatehouse|nodejs|process)_[a-z0-9_]+/g;

/** What only some storages have. */
const ELSEWHERE = ['gatehouse_database_connections', 'gatehouse_redis_connected'];

describe('Grafana dashboard', () => {
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gatehouse.stop());

  it('asks for metrics that there are, and leaves none of ours out', async () => {
    const { panels } = JSON.parse(await readFile(FILE, 'utf8')) as Dashboard;
    const asked = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => expr.match(METRIC) ?? []),
    );
    const { port } = gatehouse.app.get(ManagementListenerService);
    const { text } = await call(port, { method: 'GET', path: '/metrics' });
    const typed = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const shown = new Set([...typed, ...ELSEWHERE]);
    const wanted = new Set(asked.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')));
    expect([...wanted].filter((name) => !shown.has(name))).toEqual([]);
    const ours = [...shown].filter((name) => name.startsWith('gatehouse_'));
    expect(ours.filter((name) => !wanted.has(name))).toEqual([]);
  });
});
