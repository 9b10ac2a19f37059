const room = (name) => `libs/accounts/src/sign-up/${name}.ts`;
const unit = (...names) => ({
  project: 'unit',
  specs: names.map((name) => `libs/accounts/src/sign-up/${name}.service.spec.ts`),
});
const endToEnd = (name) => ({
  project: 'e2e-embedded',
  specs: [`test/auth/${name}.e2e-spec.ts`],
});

export const mutants = [
  {
    name: 'an invite is good for any number of accounts',
    file: room('invites.service'),
    find: '  usesLeft: MoreThan(0),\n',
    replace: '',
    ...unit('invites'),
  },
  {
    name: 'an invite never expires',
    file: room('invites.service'),
    find: 'expiresAt: MoreThan(Date.now())',
    replace: 'expiresAt: MoreThan(0)',
    ...unit('invites'),
  },
  {
    name: 'the uses of an invite are read, and then written',
    file: room('invites.service'),
    find: "const oneLess = { usesLeft: () => 'uses_left - 1' };",
    replace: `const { usesLeft } = await this.dataSource.manager.findOneByOrFail(InviteEntity, { codeHash });
    const oneLess = { usesLeft: usesLeft - 1 };`,
    ...unit('invites'),
  },
  {
    name: 'a use of an invite is spent though the account is not made',
    file: room('invites.service'),
    find: 'const spent = await manager.update(',
    replace: 'const spent = await this.dataSource.manager.update(',
    ...unit('invites'),
  },
  {
    name: 'the code of an invite has few random bits',
    file: room('invite-code'),
    find: 'const CODE_LENGTH = 20;',
    replace: 'const CODE_LENGTH = 12;',
    ...unit('invites'),
  },
  {
    name: 'the code of an invite is stored as it is',
    file: room('invite-directory.service'),
    find: 'codeHash: hashReadableCode(code),',
    replace: 'codeHash: code,',
    ...unit('invites'),
  },
  {
    name: 'expired invites are never swept',
    file: 'libs/accounts/src/accounts.module.ts',
    find: '    InviteSweeperService,\n',
    replace: '    ...[InviteSweeperService].slice(1),\n',
    project: 'unit',
    specs: ['libs/accounts/src/accounts.module.spec.ts'],
  },
  {
    name: 'nobody is refused while SIGN_UP is closed',
    file: room('sign-up.service'),
    find: "if (this.policy.signUp === 'closed') throw closed();",
    replace: 'void closed;',
    ...unit('sign-up'),
  },
  {
    name: 'a policy is not heard',
    file: room('sign-up.service'),
    find: 'if (refusal !== undefined) throw',
    replace: 'if (refusal === null) throw',
    ...unit('sign-up'),
  },
  {
    name: 'a sign-up begins without a code that is wanted',
    file: room('sign-up.service'),
    find: "if (typed === '') throw inviteWanted();",
    replace: "if (typed === '') return undefined;",
    ...unit('sign-up'),
  },
  {
    name: 'a sign-up ends without a code that is wanted',
    file: room('sign-up.service'),
    find: 'if (inviteHash === undefined) throw inviteWanted();',
    replace: 'if (inviteHash === undefined) return undefined;',
    ...unit('sign-up'),
  },
  {
    name: 'a sign-up begins with a code that is not good',
    file: room('invites.service'),
    find: 'if (!isGood) throw notGood();',
    replace: 'void isGood;',
    ...endToEnd('invites'),
  },
  {
    name: 'the policy is not asked again when a sign-up ends',
    file: 'libs/passkeys/src/ceremonies/new-account.service.ts',
    find: 'await this.signUps.expectWelcome(issued);',
    replace: '',
    ...endToEnd('sign-up-policy'),
  },
  {
    name: 'a page takes a code from where servers and logs see it',
    file: 'libs/ui-templates/src/page-script/sign-up-form.ts',
    find: 'INVITE_IN_FRAGMENT.exec(location.hash)',
    replace: "INVITE_IN_FRAGMENT.exec(location.hash || location.search.replace('?', '#'))",
    project: 'browser',
    specs: ['test/browser/sign-up.browser-spec.ts'],
  },
  {
    name: 'a page offers an account where nobody gets one',
    file: 'libs/oauth/src/authorization-server/authorization-pages.service.ts',
    find: 'signUp: this.accounts.signUp,',
    replace: '',
    ...endToEnd('sign-up-policy'),
  },
  {
    name: 'the account page offers an account where nobody gets one',
    file: 'libs/account-page/src/account-page.controller.ts',
    find: 'signUp: this.accounts.signUp,',
    replace: '',
    ...endToEnd('sign-up-policy'),
  },
  {
    name: 'no invite is spent',
    file: 'libs/passkeys/src/ceremonies/new-account.service.ts',
    find: 'const inviteId = await this.signUps.spendInvite(manager, inviteHash);',
    replace: 'const inviteId = undefined;\n      void inviteHash;',
    ...endToEnd('invites'),
  },
];
