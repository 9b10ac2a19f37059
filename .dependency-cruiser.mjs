const FRAMEWORKS =
  '^(node_modules/)?(@nestjs/|typeorm|ioredis|express|@types/express|oidc-provider)';
const TESTS = '\\.(spec|contract|e2e-spec)\\.ts$';

const leaf = (lib, allowed = []) => ({
  name: `${lib}-arrows`,
  comment: `libs/${lib} may import ${allowed.length ? allowed.map((a) => `libs/${a}`).join(', ') : 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/`, pathNot: TESTS },
  to: { path: '^(libs|apps|test)/', pathNot: `^libs/(${[lib, ...allowed].join('|')})/` },
});

export default {
  forbidden: [
    leaf('accounts'),
    leaf('budget'),
    leaf('ui-templates'),
    leaf('passkeys', ['accounts']),
    leaf('oauth', ['accounts', 'ui-templates']),
    {
      name: 'app-is-the-root',
      comment: 'apps/server knows everyone; nothing but the tests knows it',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: TESTS },
      to: { path: '^test/' },
    },
    {
      name: 'libs-by-their-index',
      comment: 'a lib is imported as #libs/x, never by a path into it',
      severity: 'error',
      from: { path: '^(apps|test)/' },
      to: { path: '^libs/[^/]+/src/(?!index\\.ts$)' },
    },
    {
      name: 'no-suffix-no-framework',
      comment: 'a file without a role suffix is framework-free',
      severity: 'error',
      from: {
        path: '^(apps|libs)/.+/[^/.]+\\.ts$',
        pathNot: '^apps/server/src/(main|start|create-app)\\.ts$',
      },
      to: { path: FRAMEWORKS },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'declared-dependencies',
      comment: 'what is imported is declared in package.json',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TESTS },
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
