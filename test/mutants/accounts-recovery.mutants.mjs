const file = (name) => `libs/accounts/src/recovery/${name}.ts`;
const unit = {
  project: 'unit',
  specs: ['libs/accounts/src/recovery/recovery-codes.service.spec.ts'],
};
const endToEnd = (name) => ({
  project: 'e2e-embedded',
  specs: [`test/account/${name}.e2e-spec.ts`],
});

export const mutants = [
  {
    name: 'a recovery code is good any number of times',
    file: file('recovery-codes.service'),
    find: "{ codeHash, usedAt: IsNull() })\n      .andWhere(hasNotExpired('expires_at'))",
    replace: "{ codeHash })\n      .andWhere(hasNotExpired('expires_at'))",
    ...unit,
  },
  {
    name: 'a link for recovery never expires',
    file: file('recovery-codes.service'),
    find: '`${column} > :now`',
    replace: '`${column} > 0 * :now`',
    ...unit,
  },
  {
    name: 'older recovery codes stay good',
    file: file('recovery-codes.service'),
    find: 'await manager.delete(RecoveryCodeEntity, { userId, expiresAt: IsNull() });',
    replace: '',
    ...unit,
  },
  {
    name: 'a session that ended makes recovery codes',
    file: file('recovery-codes.service'),
    find: 'if (!isUser || !(await lockSession(manager, session))) throw',
    replace: 'if (!isUser) throw',
    ...unit,
  },
  {
    name: 'older links for recovery stay good',
    file: file('recovery-links.service'),
    find: 'await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });',
    replace: 'void [IsNull, Not, RecoveryCodeEntity];',
    ...unit,
  },
  {
    name: 'expired links for recovery are never swept',
    file: 'libs/accounts/src/accounts.module.ts',
    find: '    RecoveryCodeSweeperService,\n',
    replace: '    ...[RecoveryCodeSweeperService].slice(1),\n',
    project: 'unit',
    specs: ['libs/accounts/src/accounts.module.spec.ts'],
  },
  {
    name: 'a recovery code has few random bits',
    file: 'libs/accounts/src/readable-code.ts',
    find: 'byte % ALPHABET.length',
    replace: 'byte % 16',
    project: 'unit',
    specs: ['libs/accounts/src/recovery/recovery-code.spec.ts'],
  },
  {
    name: 'any session makes recovery codes, however old',
    file: file('recovery-codes.controller'),
    find: 'expectFresh(session);',
    replace: 'void expectFresh;',
    ...endToEnd('recovery-codes'),
  },
  {
    name: 'a recovery leaves the other sessions alone',
    file: file('recovery.service'),
    find: 'await this.accountSessions.endAll(manager, user)',
    replace: '[]',
    ...endToEnd('recovery'),
  },
  {
    name: 'the time of a refusal tells that a recovery code was good once',
    file: file('recovery.service'),
    find: '?? NOBODY;',
    replace: '?? NOBODY;\n    if (user === NOBODY) throw notGood();',
    ...endToEnd('recovery-refusals'),
  },
  {
    name: 'guesses of recovery codes do not count',
    file: file('recovery.controller'),
    find: "import { AuthPost } from '../auth-routes/auth-routes.decorator.js';",
    replace: "import { Post as AuthPost } from '@nestjs/common';",
    ...endToEnd('recovery-refusals'),
  },
];
