import {
  pausedBy,
  permissionsOf,
  permissionsText,
  scopesToAskFor,
  usableScopes,
} from './permission.js';

const given = {
  scope: 'account:read tabs:write code:run',
  permissions: '{"tabs:write":"ask","code:run":"off"}',
};
const unchanged = { ...given, permissions: null };

describe('permissions of a grant', () => {
  it('are one for each scope that was ever given, in its order', () => {
    expect([...permissionsOf(given)]).toEqual([
      ['account:read', 'allow'],
      ['tabs:write', 'ask'],
      ['code:run', 'off'],
    ]);
  });

  it('leave out of the usable scopes what is off', () => {
    expect(usableScopes(given)).toEqual(['account:read', 'tabs:write']);
    expect(scopesToAskFor(given)).toEqual(['tabs:write']);
  });

  it('allow each scope of an unchanged grant', () => {
    expect(usableScopes(unchanged)).toEqual(['account:read', 'tabs:write', 'code:run']);
    expect(scopesToAskFor(unchanged)).toEqual([]);
  });

  it('are kept as they were given, and read as they were kept', () => {
    expect(permissionsText(permissionsOf(given))).toBe(given.permissions);
  });

  it('are kept as null where each is allowed', () => {
    expect(permissionsText(permissionsOf(unchanged))).toBeNull();
  });
});

it.each([
  [null, false, false],
  ['person', true, false],
  ['administrator', false, true],
  ['administrator', true, true],
])('a connection is paused by %s', (owner, isPausedByPerson, isPausedByAdministrator) => {
  expect(pausedBy({ isPausedByPerson, isPausedByAdministrator })).toBe(owner);
});
