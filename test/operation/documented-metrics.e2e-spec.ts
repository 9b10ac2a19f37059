import { readFileSync } from 'node:fs';
import { startAdministered } from '../support/admin-api.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { ALL_METRICS, KnownMetrics } from './known-metrics.js';

const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');

/** A row of a table: names, type, labels, meaning. */
const ROW = /^\| (`.+?`) +\| (counter|gauge|histogram) +\| (.*?) +\| \S.* \|$/gm;

const wordsIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word);

describe('docs/reference/metrics.md', () => {
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    gatehouse = await startAdministered(ALL_METRICS);
  });
  afterAll(() => gatehouse.stop());

  it('has each metric that a replica exports, with its type and labels, and no other', async () => {
    const documented = [...page.matchAll(ROW)].flatMap(([, names = '', type, labels = '']) =>
      wordsIn(names).map((name) => [name, type, ...wordsIn(labels)].join(' ')),
    );
    const { exported } = await KnownMetrics.of(gatehouse);
    expect(exported.length).toBeGreaterThan(40);
    expect(documented.toSorted()).toEqual(exported);
  });
});
