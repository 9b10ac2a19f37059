const source = (path) => `apps/server/src/${path}`;

const auditTrail = {
  file: source('audit/audit-trail.service.ts'),
  project: 'unit',
  specs: source('audit/audit-trail.service.spec'),
};

export const mutants = [
  {
    ...auditTrail,
    name: 'audit rows are dropped in an outage',
    find: "if (result === 'written') this.waiting",
    replace: "if (result !== 'refused') this.waiting",
  },
  {
    ...auditTrail,
    name: 'an audit row whose answer was lost is taken for a fault',
    find: '.orIgnore()',
    replace: '',
  },
  {
    ...auditTrail,
    name: 'audit rows of one millisecond are in no order',
    find: 'id: nextTimeOrderedId(),',
    replace: 'id: crypto.randomUUID(),',
  },
  {
    name: 'a failure goes on with an answer that was begun',
    file: source('http/error.filter.ts'),
    find: 'if (response.headersSent) return void response.destroy();',
    replace: '',
    project: 'unit',
    specs: source('http/error.filter.spec'),
  },
];
