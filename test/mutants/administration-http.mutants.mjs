const room = (name) => `apps/server/src/administration/http/${name}.ts`;
const seen = { project: 'e2e-embedded', specs: ['test/administration/http.e2e-spec.ts'] };

export const mutants = [
  {
    name: 'a replica tells what its variables are set to',
    file: 'apps/server/src/config/read-environment.ts',
    find: '.filter((name) => variables[name]);',
    replace: '.flatMap((name) => variables[name] || []);',
    project: 'e2e-embedded',
    specs: ['test/administration/replica.e2e-spec.ts'],
  },
  {
    name: 'any token administers',
    file: room('admin-token'),
    find: 'timingSafeEqual(hash(given), hash(token))',
    replace: 'timingSafeEqual(hash(token), hash(token))',
    ...seen,
  },
  {
    name: 'the document of administration is for everybody',
    file: room('admin-api.service'),
    find: '    this.expectToken(request);',
    replace: "    if (request.url !== '/admin/openapi.json') this.expectToken(request);",
    ...seen,
  },
  {
    name: 'guesses of the administration token are not told',
    file: room('admin-api.service'),
    find: "this.events.emit({ type: 'admin-token-refused', userId: null, origin: '' });",
    replace: 'void this.events;',
    ...seen,
  },
  {
    name: 'guesses of the administration token fill the audit trail',
    file: 'apps/server/src/audit/stranger-rows.ts',
    find: "  'admin-token-refused': 120,\n",
    replace: '',
    ...seen,
  },
  {
    name: 'what an operation does not take is passed over',
    file: room('field-values'),
    find: '![...sent.keys()].every((name) => names.includes(name))',
    replace: 'names.includes(String(names.length + sent.size))',
    ...seen,
  },
  {
    name: 'a value is taken as it comes',
    file: room('field-values'),
    find: 'const value = field.parse(sent.get(name));',
    replace: 'const value = field.parse(sent.get(name)) ?? sent.get(name);',
    ...seen,
  },
  {
    name: 'what is done over HTTP has nobody who did it',
    file: room('admin-api.service'),
    find: "const ACTOR = 'admin-api';",
    replace: "const ACTOR = '';",
    project: 'e2e-embedded',
    specs: ['test/administration/http-operations.e2e-spec.ts'],
  },
  {
    name: 'ADMIN_TOKEN may be short',
    file: 'apps/server/src/config/variable-rules.ts',
    find: 'value.length >= 32',
    replace: 'value.length >= 1',
    project: 'unit',
    specs: ['apps/server/src/config/config.spec.ts'],
  },
];
