const TESTS = '\\.(spec|contract|e2e-spec|testbed)\\.ts$|/testing\\.ts$|/testbed-[^/]+$';

/** Knows no other lib, and every lib may stand on it. */
const GROUND = ['platform'];

/** What a lib may import beside itself. */
const LIBS = {
  platform: [],
  'ui-templates': ['accounts', ...GROUND],
  budget: [...GROUND],
  accounts: [...GROUND],
  passkeys: ['accounts', ...GROUND],
  'own-account': ['accounts', 'passkeys', 'oauth', 'ui-templates', ...GROUND],
  oauth: ['accounts', 'ui-templates', ...GROUND],
  'tab-hub': ['accounts', ...GROUND],
  'code-runner': ['budget', ...GROUND],
};

/** The rooms of each house, ground floor first: a room imports the floors below it and itself. */
const FLOORS = {
  'libs/platform/src': [
    ['json', 'load', 'module-definition'],
    ['trace'],
    ['database'],
    ['limits', 'schemas'],
  ],
  'libs/platform/src/database': [['migrations', 'redis', 'service-keys', 'sqlite', 'postgres']],
  'libs/accounts/src': [
    ['migrations', 'users', 'request-origin', 'rate-limit'],
    ['sessions', 'sign-up'],
    ['deletion', 'events'],
    ['auth-routes'],
    ['guarded-routes', 'recovery'],
  ],
  'libs/passkeys/src': [['migrations', 'credentials', 'challenges'], ['ceremonies']],
  'libs/own-account/src': [['activity', 'passkeys', 'profile', 'sessions']],
  'libs/oauth/src': [
    ['migrations', 'scopes', 'cors', 'consents'],
    ['clients'],
    ['grants'],
    ['oidc-provider', 'connected-apps', 'administration'],
    ['authorization-server', 'protected-resource'],
    ['mcp'],
  ],
  'libs/tab-hub/src': [['protocol'], ['bus'], ['presence'], ['hub'], ['socket']],
  'libs/code-runner/src': [['limits', 'screening'], ['runner'], ['billing']],
  'libs/account-page/src': [['texts'], ['page'], ['page-script', 'sections']],
  'libs/page-client/src/page-script': [['tools'], ['hub']],
  'libs/ui-templates/src': [['html', 'locale'], ['texts'], ['page-script'], ['layout'], ['pages']],
  'apps/server/src': [
    ['config', 'tools'],
    ['observability/logging', 'outbox'],
    ['http', 'audit'],
    ['observability/health'],
    ['observability/metrics'],
    ['observability/tracing', 'administration'],
    ['observability/management'],
    ['doctor', 'admin'],
    ['cli'],
  ],
};

const among = (rooms) => `^${rooms.house}/(${rooms.names.join('|')})/`;

const libArrows = Object.entries(LIBS).map(([lib, allowed]) => ({
  name: `${lib}-arrows`,
  comment: `libs/${lib} may import ${allowed.map((a) => `libs/${a}`).join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/`, pathNot: TESTS },
  to: { path: '^(libs|apps|test)/', pathNot: `^libs/(${[lib, ...allowed].join('|')})/` },
}));

/** No room imports one of its own floor, or of a floor above. */
const roomArrows = Object.entries(FLOORS).flatMap(([house, floors]) =>
  floors.flatMap((floor, level) =>
    floor.map((room) => {
      const names = floors
        .slice(level)
        .flat()
        .filter((name) => name !== room);
      return {
        name: `${house}/${room}-floor`,
        severity: 'error',
        from: { path: `^${house}/${room}/`, pathNot: TESTS },
        to: { path: names.length > 0 ? among({ house, names }) : '^$' },
      };
    }),
  ),
);

export default {
  forbidden: [
    ...libArrows,
    ...roomArrows,
    {
      name: 'libs-stand-alone',
      comment: 'the specs of a lib run without the app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/', reachable: true },
    },
    {
      name: 'rooms-below-the-root',
      comment:
        'in the app, only doctor and cli start the whole of it, and admin opens its database',
      severity: 'error',
      from: {
        path: '^apps/server/src/[^/]+/',
        pathNot: ['^apps/server/src/(doctor|admin|cli)/', TESTS],
      },
      to: { path: '^apps/server/src/[^/]+\\.ts$' },
    },
    {
      name: 'app-is-the-root',
      comment: 'apps/server knows everyone; nothing but the tests knows it',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: TESTS },
      to: { path: '^test/' },
    },
    {
      name: 'libs-by-their-index',
      comment: 'a lib is imported as #libs/x or, by tests, as #libs/x/testing',
      severity: 'error',
      from: { path: '^(apps|test)/' },
      to: { path: '^libs/[^/]+/src/(?!(index|testing)\\.ts$)' },
    },
    {
      name: 'templates-stand-alone',
      comment: 'of the pages, only controllers and modules know accounts and requests',
      severity: 'error',
      from: { path: '^libs/ui-templates/', pathNot: [TESTS, '\\.(controller|module)\\.ts$'] },
      to: { path: '^libs/(?!ui-templates/)' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TESTS },
      to: { path: '^libs/[^/]+/src/testing\\.ts$' },
    },
    {
      name: 'one-way-out',
      comment:
        'hosts that others name are asked by DocumentFetch alone; webhooks and doctor ask what the operator names',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          TESTS,
          '^libs/oauth/src/clients/documents/(document-fetch\\.adapter|json-request)\\.ts$',
          '^libs/code-runner/src/screening/webhook\\.adapter\\.ts$',
          '^apps/server/src/outbox/webhook\\.adapter\\.ts$',
          '^apps/server/src/doctor/',
        ],
      },
      to: { path: '(^|/)undici(/|$)|^(node:)?(https|http2)$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'declared-dependencies',
      comment:
        'what is imported is declared in package.json; what pages bundle is needed for the build alone',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [TESTS, '^libs/ui-templates/bundle/', '^libs/[^/]+/src/page-script/'],
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
