const source = (name) => `libs/oauth/src/${name}.ts`;
const spec = (name) => `libs/oauth/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'an answer that has arrived ends nothing',
    file: source('grants/refresh-generations.sql'),
    find: " || isOver(row['since_arrival'])",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/oauth/refresh-arrival.e2e-spec.ts',
  },
  {
    name: 'every use of an access token moves the minute',
    file: source('grants/refresh-generations.sql'),
    find: 'arrived_generation < $1`',
    replace: 'arrived_generation <= $1`',
    project: 'unit',
    specs: spec('grants/token-store.sql'),
  },
  {
    name: 'a use that cannot be noted fails the call',
    file: source('grants/access-tokens.service'),
    find: 'this.outage.begin(',
    replace: 'throw new Error(',
    project: 'unit',
    specs: spec('grants/access-tokens.service'),
  },
  {
    name: 'a token for another resource counts as used',
    file: source('grants/access-tokens.service'),
    find: 'if (grant.audience !== resource) return undefined;',
    replace: '',
    project: 'unit',
    specs: spec('grants/access-tokens.service'),
  },
  {
    name: 'a replay of a refresh token whose row is gone is not found',
    file: source('oidc-provider/refresh-token.adapter'),
    find: '?? this.findReplaced(id)',
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/oauth/refresh-rows.e2e-spec.ts',
  },
  {
    name: 'a refresh token whose row went since it was found ends nothing',
    file: source('oidc-provider/refresh-token.adapter'),
    find: 'if (successor) await replays.endReplayed(successor.grantId);',
    replace: 'void [successor, replays];',
    project: 'unit',
    specs: spec('oidc-provider/replayed-tokens'),
  },
  {
    name: 'replaced refresh tokens stay',
    file: source('grants/refresh-generations.sql'),
    find: 'await removeReplacedTokens(manager, presented);',
    replace: 'void removeReplacedTokens;',
    project: 'e2e-embedded',
    specs: 'test/oauth/refresh-rows.e2e-spec.ts',
  },
  {
    name: 'replaced refresh tokens go that no family tells',
    file: source('grants/replaced-tokens.sql'),
    find: 'AND generation < $2 AND ${HAS_FAMILY}',
    replace: 'AND generation < $2',
    project: 'unit',
    specs: spec('grants/token-store.sql'),
  },
];
