const source = (path) => `apps/server/src/${path}.ts`;

export const mutants = [
  {
    name: 'a secret whose file is empty is replaced by a default',
    file: source('config/variable-files'),
    find: "content === '' ? { fault: 'names a file that is empty' } : { content }",
    replace: '{ content }',
    project: 'unit',
    specs: source('config/variable-files.spec').replace(/\.ts$/, ''),
  },
];
