const script = (path) => `libs/account-page/src/page-script/${path}.ts`;
const shared = (path) => `libs/ui-templates/src/page-script/${path}.ts`;
const others = {
  project: 'browser',
  specs: ['test/browser/account-signals.browser-spec.ts'],
};

export const mutants = [
  {
    name: 'passkeys of one account are hidden by the list of another',
    file: script('passkeys/passkey-managers'),
    find: 'if (user?.id !== userId) return;',
    replace: 'if (user === null) return;',
    ...others,
  },
  {
    name: 'a passkey that is being made is deleted by a list without it',
    file: script('passkeys/passkey-managers'),
    find: 'navigator.locks.request(LOCK, make);',
    replace: 'make();',
    ...others,
  },
  {
    name: 'an empty list hides all passkeys',
    file: shared('signals'),
    find: 'if (credentialIds.length > 0) acceptOnly',
    replace: 'acceptOnly',
    ...others,
  },
  {
    name: "somebody else's passkey is forgotten, because it was offered for a new one",
    file: shared('ceremonies'),
    find: 'error.status === 403',
    replace: 'error.status >= 403',
    ...others,
  },
  {
    name: 'passkeys that are merely unknown are forgotten',
    file: shared('auth-api'),
    find: "answer.headers.get('passkey-signal') === 'unknown'",
    replace: 'answer.status === 400',
    ...others,
  },
  {
    name: 'what is asked for on the page of one account is done to another',
    file: script('account'),
    find: '    await this.expectOwn();\n    try {',
    replace: '    try {',
    ...others,
  },
  {
    name: 'whoever else is signed in by now is signed out',
    file: script('start-account'),
    find: '    await account.expectOwn();\n    await post',
    replace: '    await post',
    ...others,
  },
  {
    name: 'a fresh sign-in goes on in whatever account it led to',
    file: script('account'),
    find: '    await this.expectOwn();\n    return act();',
    replace: '    return act();',
    ...others,
  },
  {
    name: 'a passkey that took too long is added to whoever is signed in by then',
    file: script('passkeys/add-passkey'),
    find: 'whileMaking(() => againWhenExpired(() => account.fresh(addPasskey)))',
    replace: 'account.fresh(() => whileMaking(() => againWhenExpired(addPasskey)))',
    ...others,
  },
  {
    name: 'a fresh sign-in is a way into another account',
    file: script('sign-in-again'),
    find: 'if (handle !== undefined && handle !== userHandle(userId)) throw new OtherAccountError();',
    replace: 'void [handle, userHandle, userId, OtherAccountError];',
    ...others,
  },
  {
    name: 'an account is deleted without a word',
    file: script('sections/deletion'),
    find: 'if (!isSame(typed, word)) throw new WordError();',
    replace: 'void [typed, word, WordError, isSame];',
    project: 'browser',
    specs: ['test/browser/own-account.browser-spec.ts'],
  },
  {
    name: 'a name that is written from right to left turns the sentence around it',
    file: script('part'),
    find: '`\\u2068${name}\\u2069`',
    replace: 'name',
    project: 'unit',
    specs: ['libs/account-page/src/page-script/apps/app-words.spec.ts'],
  },
];
