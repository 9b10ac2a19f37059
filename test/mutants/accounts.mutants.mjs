const file = (name) => `libs/accounts/src/${name}.ts`;
const spec = (name) => `libs/accounts/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'the idle lifetime of a session is ignored',
    file: file('sessions/session'),
    find: 'Math.min(createdAt + lives.maxMs, lastSeenAt + lives.idleMs)',
    replace: 'Math.max(createdAt, lastSeenAt) + lives.maxMs',
    project: 'unit',
    specs: [spec('sessions/sessions.service')],
  },
  {
    name: 'the absolute lifetime of a session is ignored',
    file: file('sessions/session'),
    find: 'Math.min(createdAt + lives.maxMs, lastSeenAt + lives.idleMs)',
    replace: 'Math.max(createdAt, lastSeenAt) + lives.idleMs',
    project: 'unit',
    specs: [spec('sessions/sessions.service')],
  },
  {
    name: 'a session is found after it expired',
    file: file('sessions/sessions.service'),
    find: ' || found.expiresAt <= now',
    replace: '',
    project: 'unit',
    specs: [spec('sessions/sessions.service')],
  },
  {
    name: 'a session is found on another origin',
    file: file('sessions/sessions.service'),
    find: 'found.origin !== origin || ',
    replace: '',
    project: 'unit',
    specs: [spec('sessions/sessions.service')],
  },
  {
    name: 'expired sessions are never swept',
    file: file('accounts.module'),
    find: '    SessionSweeperService,\n',
    replace: '    ...[SessionSweeperService].slice(1),\n',
    project: 'unit',
    specs: [spec('accounts.module')],
  },
  {
    name: 'a route takes any method',
    file: file('allowed-methods.guard'),
    find: 'throw methodNotAllowed(methods, place);',
    replace: 'return methodNotAllowed(methods, place) !== undefined;',
    project: 'unit',
    specs: [spec('accounts.module')],
  },
  {
    name: 'a window of the visitor limit is as young as its last visit',
    file: file('rate-limit/throttler-storage.in-process'),
    find: 'this.windows.peek(visitor)',
    replace: 'this.windows.get(visitor)',
    project: 'unit',
    specs: [spec('rate-limit/throttler-storage.in-process')],
  },
  {
    name: 'the session cookie is believed from a foreign origin',
    file: file('sessions/session-gate'),
    find: 'if (isForeignOrigin(request.origin, ownOrigin)) return false;',
    replace: 'void isForeignOrigin;',
    project: 'unit',
    specs: [spec('sessions/session-gate')],
  },
];
