import { UserEntity } from '#libs/accounts';
import { GrantEntity } from './grant.entity.js';
import { beginGrant, describeOnDatabases, ORIGIN } from './grants-database.testbed.js';
import { GrantsService } from './grants.service.js';

describeOnDatabases('grants of an account that goes', (open) => {
  it('begin or are none, whatever came first, and none is left', async () => {
    const grants = new GrantsService(open());
    const { userId, ...about } = await grants.get(await beginGrant(open()));
    const begin = () => grants.begin({ ...about, userId, origin: ORIGIN });
    const begun = await Promise.all([
      ...Array.from({ length: 4 }, begin),
      open().manager.delete(UserEntity, { id: userId }),
      ...Array.from({ length: 4 }, begin),
    ]);
    expect(begun).toHaveLength(9);
    expect(await begin()).toBeUndefined();
    expect(await open().manager.countBy(GrantEntity, { userId })).toBe(0);
  });

  it('take the place of none when theirs is gone already', async () => {
    expect(await new GrantsService(open()).replaceOlder('gone')).toEqual([]);
  });
});
