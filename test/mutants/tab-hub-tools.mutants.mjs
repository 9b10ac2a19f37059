const source = (name) => `libs/tab-hub/src/${name}.ts`;
const seen = (...names) => ({
  project: 'unit',
  specs: names.map((name) => `libs/tab-hub/src/${name}.spec.ts`),
});

export const mutants = [
  {
    name: 'a page offers any number of tools',
    file: source('protocol/page-tool'),
    find: 'tools.length > MAX_TOOLS',
    replace: 'tools.length < 0',
    ...seen('protocol/page-tool'),
  },
  {
    name: 'a page offers tools that a model cannot tell apart',
    file: source('protocol/page-tool'),
    find: "name.replaceAll('.', '_').slice(0, MODELS_NAME)",
    replace: 'name',
    ...seen('protocol/page-tool'),
  },
  {
    name: 'a page offers a list of any size',
    file: source('protocol/page-tool'),
    find: 'if (bytesOf(parsed) > MAX_BYTES)',
    replace: 'if (bytesOf(parsed) < 0)',
    ...seen('protocol/page-tool'),
  },
  {
    name: 'a schema of a page has any size',
    file: source('protocol/page-tool'),
    find: 'if (bytesOf(value) > MAX_SCHEMA_BYTES)',
    replace: 'if (bytesOf(value) < 0)',
    ...seen('protocol/page-tool'),
  },
  {
    name: 'a schema of a page is taken as it is',
    file: source('protocol/page-tool'),
    find: 'const fault = schemaFault(value);',
    replace: 'const fault = value === null ? schemaFault(value) : undefined;',
    ...seen('protocol/page-tool'),
  },
  {
    name: 'every change of a list of tools is written',
    file: 'libs/load/src/paced.ts',
    find: 'this.timer === undefined) void',
    replace: 'true) void',
    ...seen('socket/tab-offers'),
  },
  {
    name: 'the last change of a list of tools is not written',
    file: 'libs/load/src/paced.ts',
    find: 'if (this.isDue) void this.run();',
    replace: '',
    ...seen('socket/tab-offers'),
  },
  {
    name: 'what a page offers stays when its tab has left',
    file: source('presence/tab-presence-scripts.redis'),
    find: "redis.call('HDEL', KEYS[3], ARGV[1])",
    replace: '',
    ...seen('presence/tab-presence.redis'),
  },
  {
    name: 'what a page offers stays when its replica has gone',
    file: source('presence/tab-presence-scripts.redis'),
    find: "redis.call('HDEL', KEYS[2], field)",
    replace: '',
    ...seen('presence/tab-presence.redis'),
  },
  {
    name: 'a page offers tools in a tab that is gone',
    file: source('presence/tab-presence.in-process'),
    find: 'if (!known) return;',
    replace:
      'if (!known) return void this.accounts.set(userId, new Map([[tab.id, { tab, tools: tools ?? [], lastFrameAt: 0 }]]));',
    ...seen('presence/tab-presence.in-process'),
  },
  {
    name: 'lists of tabs pile up for a slow reader',
    file: source('socket/tab-socket'),
    find: 'if (!wire?.writableNeedDrain) return',
    replace: 'if (wire) return',
    ...seen('socket/tab-socket'),
  },
  {
    name: "lists of one account's pages keep everybody waiting",
    file: source('socket/tabs.gateway'),
    find: 'if (ms > 0) await',
    replace: 'if (ms < 0) await',
    ...seen('socket/tab-offers'),
  },
];
