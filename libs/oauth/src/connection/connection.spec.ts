import type { ConnectionChange } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { differenceOf, permissionOf, widens } from './connection.js';

const END = 1_800_000_000_000;

const grant = {
  scope: 'account:read tabs:write code:run',
  permissions: '{"tabs:write":"ask","code:run":"off"}',
  mayAsk: false,
  isPausedByPerson: true,
  isPausedByAdministrator: false,
  dailyCredits: 10,
  endsAt: END,
} as GrantEntity;
const free = {
  ...grant,
  permissions: null,
  mayAsk: true,
  isPausedByPerson: false,
  dailyCredits: null,
  endsAt: null,
} as GrantEntity;

it('the permission of a scope that was never given is off', () => {
  expect(permissionOf(grant, 'tabs:read')).toBe('off');
  expect(permissionOf(grant, 'tabs:write')).toBe('ask');
});

describe('whether a change lets an app do more', () => {
  it.each<[string, ConnectionChange]>([
    ['ask becomes allow', { permissions: { 'tabs:write': 'allow' } }],
    ['off becomes ask', { permissions: { 'code:run': 'ask' } }],
    [
      'off becomes allow, beside one that narrows',
      { permissions: { 'account:read': 'off', 'code:run': 'allow' } },
    ],
    ['a new scope', { permissions: { 'tabs:read': 'ask' } }],
    ['it may ask', { mayAsk: true }],
    ['the pause of its person ends', { isPausedByPerson: false }],
    ['more credits', { dailyCredits: 11 }],
    ['credits without a limit', { dailyCredits: null }],
    ['a later end', { endsAt: END + 1 }],
    ['no end', { endsAt: null }],
  ])('yes: %s', (_what, change) => {
    expect(widens(grant, change)).toBe(true);
  });

  it.each<[string, ConnectionChange]>([
    ['nothing', {}],
    [
      'what is so already',
      { permissions: { 'account:read': 'allow', 'tabs:write': 'ask', 'tabs:read': 'off' } },
    ],
    [
      'allow becomes ask, and ask off',
      { permissions: { 'account:read': 'ask', 'tabs:write': 'off' } },
    ],
    ['it may not ask', { mayAsk: false }],
    ['a pause', { isPausedByPerson: true }],
    ['as many credits, or fewer', { dailyCredits: 10 }],
    ['no credits', { dailyCredits: 0 }],
    ['the same end', { endsAt: END }],
    ['an earlier end', { endsAt: END - 1 }],
  ])('no: %s', (_what, change) => {
    expect(widens(grant, change)).toBe(false);
  });

  it.each<[string, ConnectionChange]>([
    ['a first limit', { dailyCredits: 1_000_000 }],
    ['a first end', { endsAt: END }],
    ['limits that are still none', { dailyCredits: null, endsAt: null }],
    ['what it may already', { mayAsk: true, isPausedByPerson: false }],
  ])('no, without limits before: %s', (_what, change) => {
    expect(widens(free, change)).toBe(false);
  });
});

it('the difference names what is different, and that alone', () => {
  const differences = 'tabs:write=ask, code:run=off, mayAsk=false, paused=true, dailyCredits=10';
  expect(differenceOf({ before: free, grant })).toBe(`${differences}, endsAt=${END / 1000}`);
  const back = 'tabs:write=allow, code:run=allow, mayAsk=true, paused=false';
  expect(differenceOf({ before: grant, grant: free })).toBe(
    `${back}, dailyCredits=none, endsAt=none`,
  );
  expect(differenceOf({ before: grant, grant })).toBe('');
  const more = { ...grant, scope: `${grant.scope} tabs:read` };
  expect(differenceOf({ before: grant, grant: more })).toBe('tabs:read=allow');
  const byOther = { ...free, isPausedByAdministrator: true };
  expect(differenceOf({ before: free, grant: byOther })).toBe('pausedByAdministrator=true');
});
