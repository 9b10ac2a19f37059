export const TESTS = '\\.(spec|contract|e2e-spec|testbed)\\.ts$|/testing\\.ts$|/testbed-[^/]+$';

/** Knows no other lib, and every lib may stand on it. */
const GROUND = ['platform'];

/** What a lib may import beside itself. */
const LIBS = {
  platform: [],
  'ui-templates': ['accounts', ...GROUND],
  budget: [...GROUND],
  accounts: [...GROUND],
  passkeys: ['accounts', ...GROUND],
  oauth: ['accounts', 'ui-templates', ...GROUND],
  mcp: ['accounts', 'oauth', ...GROUND],
  'tab-hub': ['accounts', ...GROUND],
  'code-runner': ['budget', ...GROUND],
};

const libArrows = Object.entries(LIBS).map(([lib, allowed]) => ({
  name: `${lib}-arrows`,
  comment: `libs/${lib} may import ${allowed.map((a) => `libs/${a}`).join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/`, pathNot: TESTS },
  to: { path: '^(libs|apps|test)/', pathNot: `^libs/(${[lib, ...allowed].join('|')})/` },
}));

export default {
  forbidden: [
    ...libArrows,
    {
      name: 'libs-stand-alone',
      comment: 'the specs of a lib run without the app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/', reachable: true },
    },
    {
      name: 'rooms-below-the-root',
      comment: 'in the app, only doctor and cli start the whole of it or open its database',
      severity: 'error',
      from: {
        path: '^apps/server/src/[^/]+/',
        pathNot: ['^apps/server/src/(doctor|cli)/', TESTS],
      },
      to: { path: '^apps/server/src/[^/]+\\.ts$' },
    },
    {
      name: 'sources-know-no-end-to-end-tests',
      comment: 'nor do the specs beside them: what both share is in #libs/x/testing',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^test/' },
    },
    {
      name: 'libs-by-their-index',
      comment:
        'a lib is imported as #libs/x or, by tests, as #libs/x/testing; what plain Node loads runs without TypeORM',
      severity: 'error',
      from: {
        path: '^(apps|test)/',
        pathNot: '^test/support/(services/(missing|shared)-services\\.ts|shift-clock\\.mjs)$',
      },
      to: { path: '^libs/[^/]+/src/(?!(index|testing)\\.ts$)' },
    },
    {
      name: 'templates-stand-alone',
      comment: 'of the pages, only controllers and modules know accounts and requests',
      severity: 'error',
      from: { path: '^libs/ui-templates/', pathNot: [TESTS, '\\.(controller|module)\\.ts$'] },
      to: { path: '^libs/(?!ui-templates/|platform/src/hidden-text\\.ts$)' },
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
          '^libs/oauth/src/client-document/(document-fetch|json-request)\\.ts$',
          '^libs/code-runner/src/screening/webhook-screener\\.ts$',
          '^apps/server/src/outbox/webhook-sink\\.ts$',
          '^apps/server/src/doctor/',
        ],
      },
      to: { path: '(^|/)undici(/|$)|^(node:)?(https|http2)$' },
    },
    {
      name: 'one-way-to-prom-client',
      severity: 'error',
      from: { pathNot: '^apps/server/src/observability/prometheus\\.ts$' },
      to: { path: '(^|/)prom-client(/|$)' },
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
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['npm-peer'],
      },
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
