const source = (path) => `apps/server/src/audit/${path}`;

export const mutants = [
  {
    name: 'an audit row whose answer was lost is taken for a fault',
    file: source('audit-insertion.sql.ts'),
    find: 'ON CONFLICT (id) DO UPDATE SET',
    replace: '-- ',
    project: 'unit',
    specs: source('audit-trail.service.spec'),
  },
];
