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
