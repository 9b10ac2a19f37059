const file = (name) => `libs/own-account/src/${name}.ts`;
const stored = 'libs/passkeys/src/credentials/account-credentials.service.ts';
const spec = (name) => [`test/account/${name}.e2e-spec.ts`];
const project = 'e2e-embedded';

export const mutants = [
  {
    name: 'a stolen session deletes passkeys',
    file: file('passkeys/passkeys.controller'),
    find: '    expectFresh(session);\n',
    replace: '',
    project,
    specs: spec('passkeys'),
  },
  {
    name: 'ADD_PASSKEY_MAX_AGE is ignored',
    file: 'libs/passkeys/src/ceremonies/registration-options.service.ts',
    find: 'if (addPasskeyMaxAgeMs !== undefined) expectFresh',
    replace: 'if (addPasskeyMaxAgeMs === 0) expectFresh',
    project,
    specs: spec('add-passkey-age'),
  },
  {
    name: 'a stolen session deletes the account',
    file: file('profile/profile.controller'),
    find: '    expectFresh(session);\n',
    replace: '',
    project,
    specs: spec('deletion'),
  },
  {
    name: 'passkeys of a deleted account leave no trace',
    file: stored,
    find: 'await runSql(manager, `${BURY} ON CONFLICT DO NOTHING`, [userId]);',
    replace: 'void [manager, userId];',
    project,
    specs: spec('deletion'),
  },
  {
    name: 'the last passkey can be deleted',
    file: stored,
    find: 'if (count === 1) throw lastPasskey();',
    replace: 'if (count === 0) throw lastPasskey();',
    project,
    specs: spec('last-passkey'),
  },
  {
    name: 'a passkey of another account can be renamed',
    file: stored,
    find: 'CredentialEntity, { id, userId }, { name }',
    replace: 'CredentialEntity, { id }, { name }',
    project,
    specs: spec('passkeys'),
  },
  {
    name: 'a deleted passkey leaves its sessions',
    file: stored,
    find: 'return this.accountSessions.endBegunWith(manager, user, id, session);',
    replace: 'return [];',
    project,
    specs: spec('passkeys'),
  },
  {
    name: 'any unknown passkey is signalled',
    file: 'libs/passkeys/src/ceremonies/login.service.ts',
    find: "isOurs && (await this.credentials.wasDeleted(body['id']))",
    replace: 'isOurs',
    project,
    specs: spec('signals'),
  },
  {
    name: 'a deleted passkey is signalled to any origin',
    file: 'libs/passkeys/src/ceremonies/login.service.ts',
    find: 'const isOurs = !framed && origin === party.origin;',
    replace: 'const isOurs = !framed || origin === party.origin;',
    project,
    specs: spec('signals'),
  },
  {
    name: 'tabs of a session that its user ended stay open',
    file: file('sessions/sessions.controller'),
    find: 'origin: ownOriginOf(request).origin, endedSessions }',
    replace: 'origin: ownOriginOf(request).origin }',
    project,
    specs: spec('sessions'),
  },
];
