const source = (path) => `libs/page-client/src/${path}`;

export const mutants = [
  {
    name: 'answers that nobody may keep are conditional again',
    file: 'apps/server/src/http/express.adapter.ts',
    find: "if (!isKept(request.path)) delete request.headers['if-none-match'];",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/pages/page-client',
  },
  {
    name: 'a tool that the browser refused stays with the hub',
    file: source('page-script/tools/page-tools.ts'),
    find: 'this.#remove(offer);\n      throw error;',
    replace: 'offer.isOffered = true;\n      throw error;',
    project: 'unit',
    specs: source('page-script/tools/page-tools-and-browser'),
  },
  {
    name: 'a name is free until the browser has taken its tool',
    file: source('page-script/tools/page-tools.ts'),
    find: 'assertRoom(description, this.#descriptions());',
    replace: 'assertRoom(description, this.list());',
    project: 'unit',
    specs: source('page-script/tools/page-tools'),
  },
  {
    name: 'an app runs a tool that the browser has not taken',
    file: source('page-script/tools/page-tools.ts'),
    find: 'return offer?.isOffered ? offer.execute : undefined;',
    replace: 'return offer?.execute;',
    project: 'unit',
    specs: source('page-script/tools/page-tools-and-browser'),
  },
  {
    name: 'a call that was cancelled is answered',
    file: source('page-script/tools/tool-calls.ts'),
    find: "if (signal.aborted) return this.#end({ ...asked, outcome: 'cancelled' });\n      this.#answer",
    replace: 'this.#answer',
    project: 'unit',
    specs: source('page-script/hub/page-hub-calls'),
  },
];
