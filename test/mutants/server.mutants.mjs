const source = (path) => `apps/server/src/${path}`;

export const mutants = [
  {
    name: 'a failure goes on with an answer that was begun',
    file: source('http/error.filter.ts'),
    find: 'if (response.headersSent) return void response.destroy();',
    replace: '',
    project: 'unit',
    specs: source('http/error.filter.spec'),
  },
];
