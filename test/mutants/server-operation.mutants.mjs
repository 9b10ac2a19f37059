const source = (path) => `apps/server/src/${path}`;

export const mutants = [
  {
    name: 'a secret whose file is empty is replaced by a default',
    file: source('config/variable-files.ts'),
    find: "content === '' ? { fault: 'names a file that is empty' } : { content }",
    replace: '{ content }',
    project: 'unit',
    specs: source('config/variable-files.spec'),
  },
  {
    name: 'a trace that is malformed gets into the log',
    file: 'libs/trace/src/traceparent.ts',
    find: "(version === '00' && more !== undefined)",
    replace: 'false',
    project: 'unit',
    specs: 'libs/trace/src/trace.spec',
  },
  {
    name: 'a stranger decides whether a request is recorded',
    file: source('observability/tracing/request-tracer.adapter.ts'),
    find: 'isFromTrustedProxy(request) ? given : undefined',
    replace: 'given',
    project: 'e2e-embedded',
    specs: 'test/operation/traces-sampling',
  },
  {
    name: 'the text of any statement is told, with the values in it',
    file: 'libs/database/src/sql-span.ts',
    find: "'db.operation.name': verb };",
    replace: "'db.operation.name': verb, 'db.query.text': text };",
    project: 'unit',
    specs: 'libs/database/src/sql-span.spec',
  },
  {
    name: 'Nest Devtools print the token that runs code here',
    file: source('devtools.module.ts'),
    find: '    withholdToken();\n',
    replace: '',
    project: 'unit',
    specs: source('devtools.module.spec'),
  },
  {
    name: 'what a visitor says of his origin gets through on paths of a team',
    file: 'ops/nginx/nginx.conf',
    find: 'location @own_path {\n',
    replace: 'location @own_path {\n            proxy_set_header X-Own 1;\n',
    project: 'e2e-embedded',
    specs: 'test/extending/own-paths',
  },
];
