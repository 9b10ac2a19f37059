import { Logger } from '@nestjs/common';
import { GrantAgesService } from './grant-ages.service.js';
import { beginGrant, describeOnDatabases } from '../testbed/grants-database.testbed.js';
import { GrantEntity } from '../grant/grant.entity.js';

const DAY = 24 * 60 * 60 * 1000;
const BEGUN = 1_800_000_000_000;
const COUNT = 1_203;

describeOnDatabases('the greatest age of grants', (open) => {
  const apply = (grantMaxAgeMs?: number) =>
    new GrantAgesService({ grantMaxAgeMs }, open()).onModuleInit();
  /** The distinct lifetimes of all grants, in days. */
  const ages = async () => {
    const rows = await open().manager.find(GrantEntity);
    const days = rows.map(({ createdAt, expiresAt }) => (expiresAt - createdAt) / DAY);
    return [...new Set(days)].toSorted((a, b) => a - b);
  };

  beforeAll(async () => {
    const grant = await open().manager.findOneByOrFail(GrantEntity, {
      id: await beginGrant(open()),
    });
    await open().manager.delete(GrantEntity, { id: grant.id });
    const row = (n: number) => ({
      ...grant,
      id: `${n % 2 ? 'g' : 'G'}-${n}`,
      createdAt: BEGUN,
      expiresAt: BEGUN + (n % 3 ? 30 : 5) * DAY,
    });
    const rows = Array.from({ length: COUNT }, (_, n) => row(n));
    for (let n = 0; n < COUNT; n += 50) {
      await open().manager.insert(GrantEntity, rows.slice(n, n + 50));
    }
  });
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is nobody’s business when there is none', async () => {
    await apply();
    expect(await ages()).toEqual([5, 30]);
  });

  it('shortens what lasts longer and lengthens nothing, with several replicas at once', async () => {
    await Promise.all([apply(10 * DAY), apply(10 * DAY), apply(10 * DAY)]);
    expect(await ages()).toEqual([5, 10]);
    await apply(90 * DAY);
    expect(await ages()).toEqual([5, 10]);
    expect(await open().manager.count(GrantEntity)).toBe(COUNT);
  });
});
