const source = (path) => `apps/server/src/${path}`;

const auditTrail = {
  file: source('audit/audit-trail.service.ts'),
  project: 'unit',
  specs: source('audit/audit-trail.service.spec'),
};

export const mutants = [
  {
    name: 'a query may have any number of parameters',
    file: source('http/express.adapter.ts'),
    find: '    refuseLongQuery,\n',
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/auth/query',
  },
  {
    name: 'a page whose name was pointed at the management listener reads the metrics',
    file: source('observability/management/management-routes.ts'),
    find: "if (!isHostAllowed(path, headersDistinct['host'] ?? [], hosts)) return MISDIRECTED;",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/operation/management',
  },
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
  {
    name: 'anybody may choose the id of a request',
    file: source('observability/logging/request-log.middleware.ts'),
    find: "return trusts(request.socket.remoteAddress ?? '', 0) ? offered : undefined;",
    replace: "return trusts(request.socket.remoteAddress ?? '', 0) || true ? offered : undefined;",
    project: 'unit',
    specs: source('observability/logging/request-log.middleware.spec'),
  },
  {
    name: 'the log of requests has their queries',
    file: source('observability/logging/request-log.middleware.ts'),
    find: "const [path = ''] = originalUrl.split('?');",
    replace: 'const path = originalUrl;',
    project: 'unit',
    specs: source('observability/logging/request-log.middleware.spec'),
  },
  {
    name: 'a replica is ready without Redis',
    file: source('observability/health/readiness.service.ts'),
    find: 'const allUp = findings.every(',
    replace: "const allUp = findings.filter(([name]) => name !== 'redis').every(",
    project: 'unit',
    specs: source('observability/health/readiness.service.spec'),
  },
  {
    name: 'a service that ends refuses what arrives on open connections',
    file: source('http/drain.ts'),
    find: 'NetServer.prototype.close.call(this.server);',
    replace:
      'NetServer.prototype.close.call(this.server);\n    this.server.closeIdleConnections();',
    project: 'e2e-embedded',
    specs: 'test/operation/drain',
  },
];
