const source = (name) => `libs/tab-hub/src/${name}.ts`;
const seen = (...names) => ({
  project: 'unit',
  specs: names.map((name) => `libs/tab-hub/src/${name}.spec.ts`),
});

export const mutants = [
  {
    name: 'a tab keeps a request that nobody waits for',
    file: source('hub/account-calls'),
    find: 'this.tabs.cancel(id);',
    replace: '',
    ...seen('hub/account-calls'),
  },
  {
    name: 'a tab that works for nobody is not told',
    file: source('hub/local-tabs'),
    find: "if (tab.requests.close(id)) tab.write(hubFrame('cancel', { id }));",
    replace: 'tab.requests.close(id);',
    ...seen('hub/account-calls'),
  },
  {
    name: 'a call goes on though it was cancelled',
    file: source('hub/account-calls'),
    find: "signal?.addEventListener('abort', cancel);",
    replace: '',
    ...seen('hub/account-calls'),
  },
  {
    name: 'a tab answers what another tab was asked',
    file: source('hub/account-calls'),
    find: 'if (!tab.requests.close(id)) return false;',
    replace: 'tab.requests.close(id);',
    ...seen('hub/account-hub'),
  },
  {
    name: 'a tab tells the progress of what another tab was asked',
    file: source('hub/account-calls'),
    find: 'if (!tab.requests.has(id)) return false;',
    replace: '',
    ...seen('hub/account-calls'),
  },
  {
    name: 'a caller that died leaves its request with the tab',
    file: source('hub/tab-requests'),
    find: 'setTimeout(onExpired,',
    replace: 'setTimeout(() => undefined,',
    ...seen('hub/account-calls'),
  },
];
