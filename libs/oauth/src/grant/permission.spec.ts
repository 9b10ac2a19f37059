import { pausedBy, permissionsOf, permissionsText, scopesOf, usableScopes } from './permission.js';

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
    const usable = ['account:read', 'tabs:write'];
    expect(usableScopes(given)).toEqual(usable);
    expect(scopesOf(given)).toEqual({ usable, ask: ['tabs:write'] });
  });

  it('allow each scope of an unchanged grant', () => {
    const usable = ['account:read', 'tabs:write', 'code:run'];
    expect(scopesOf(unchanged)).toEqual({ usable, ask: [] });
    expect(scopesOf({ ...given, permissions: '{}' })).toEqual({ usable, ask: [] });
    expect(scopesOf({ scope: 'a a  b', permissions: null }).usable).toEqual(['a', 'b']);
  });

  it('allow a scope with the name of a member of all objects', () => {
    const scope = 'constructor __proto__';
    expect(permissionsOf({ scope, permissions: '{"a":"off"}' }).get('constructor')).toBe('allow');
    expect(scopesOf({ scope, permissions: '{"__proto__":"off"}' }).usable).toEqual(['constructor']);
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
