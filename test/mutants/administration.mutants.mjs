const room = (name) => `apps/server/src/admin/${name}.ts`;
const spec = (name) => `apps/server/src/admin/${name}.spec.ts`;

export const mutants = [
  {
    name: 'a redirect host is blocked in one spelling alone',
    file: 'libs/oauth/src/clients/redirect-uri.ts',
    find: 'withoutCase(url.hostname) || undefined',
    replace: 'text',
    project: 'unit',
    specs: ['libs/oauth/src/clients/redirect-host.spec.ts'],
  },
  {
    name: 'an id that begins with a dash is an option',
    file: room('ids'),
    find: 'LIKE_AN_OPTION.test(arg) ? SHIELD + arg : arg',
    replace: 'arg',
    project: 'unit',
    specs: [spec('command-line')],
  },
  {
    name: 'a stream of a disabled account stays open',
    file: 'libs/oauth/src/protected-resource/grant-end.ts',
    find: '(active) => active || end()',
    replace: '() => undefined',
    project: 'unit',
    specs: ['libs/oauth/src/protected-resource/grant-rounds.spec.ts'],
  },
  {
    name: 'a disabled account signs in',
    file: 'libs/accounts/src/sessions/sessions.service.ts',
    find: 'await this.users.expectEnabled(manager, userId);',
    replace: '',
    project: 'unit',
    specs: ['libs/accounts/src/sessions/account-switch.service.spec.ts'],
  },
  {
    name: 'a session of a disabled account counts',
    file: 'libs/accounts/src/sessions/account-switch.service.ts',
    find: 'return this.sessions.endAll(manager, user);',
    replace: 'return [];',
    project: 'unit',
    specs: ['libs/accounts/src/sessions/account-switch.service.spec.ts'],
  },
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
