const room = (name) => `apps/server/src/admin/${name}.ts`;
const spec = (name) => `apps/server/src/admin/${name}.spec.ts`;

export const mutants = [
  {
    name: 'a name that people chose steers the terminal',
    file: room('printable'),
    find: "text.replaceAll(UNSEEN, '?')",
    replace: 'text',
    project: 'unit',
    specs: [spec('output')],
  },
  {
    name: 'what ended anywhere else stays open',
    file: 'libs/tab-hub/src/socket/session-watch.service.ts',
    find: 'if (!active.has(session)) this.end(session, SESSION_ENDED);',
    replace: 'active.has(session);',
    project: 'unit',
    specs: ['libs/tab-hub/src/socket/session-watch.service.spec.ts'],
  },
  {
    name: 'an account has no limit of its own',
    file: 'libs/budget/src/budget.service.ts',
    find: '(await this.ownLimits.find(userId)) ?? this.options.dailyLimit',
    replace: 'this.options.dailyLimit',
    project: 'unit',
    specs: ['libs/budget/src/budget.service.spec.ts'],
  },
];
