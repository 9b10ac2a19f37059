const source = (name) => `libs/oauth/src/${name}.ts`;
const approvals = {
  file: source('authorization-server/consent-approvals.sql'),
  project: 'unit',
  specs: 'libs/oauth/src/authorization-server/consent-approvals.sql.spec.ts',
};

const forms = {
  file: source('authorization-server/consents.service'),
  project: 'e2e-embedded',
  specs: 'test/oauth/consent.e2e-spec.ts',
};

export const mutants = [
  {
    name: 'an answer counts whose session ended meanwhile',
    file: source('consents/taken-handle.sql'),
    find: "${sessionGoesOn('$2', '$3', '$4', dialect)}",
    replace: '($2 <> $3 OR $4 > 0)',
    project: 'e2e-embedded',
    specs: 'test/oauth/session-end.e2e-spec.ts',
  },
  {
    name: 'an answer and who ends the account wait for each other for ever',
    file: 'libs/accounts/src/sessions/session-goes-on.sql.ts',
    find: 'SELECT id FROM users WHERE id = ${userId} ${forShare}',
    replace: 'SELECT CAST(${userId} AS varchar(64)) AS id',
    project: 'e2e-postgres',
    specs: 'test/oauth/consent-parallel.e2e-spec.ts',
  },
  {
    ...approvals,
    name: 'a client that was blocked while its form was open is given a code',
    find: " AND NOT ${blocked('$6', '$10')}",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/administration/blocked-clients.e2e-spec.ts',
  },
  {
    name: 'a client that is blocked is given a consent form',
    file: source('authorization-server/consents.service'),
    find: " AND NOT ${blocked('$5', '$8')}",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/administration/blocked-clients.e2e-spec.ts',
  },
  {
    name: 'somebody signed out is shown a page for a client that is blocked',
    file: source('authorization-server/authorization-pages.service'),
    find: 'handle === undefined) {\n      await this.expectNotBlocked(request);',
    replace: 'handle === undefined) {',
    project: 'e2e-embedded',
    specs: 'test/administration/blocked-clients.e2e-spec.ts',
  },
  {
    ...approvals,
    name: 'an older grant stays whose replica had a clock ahead',
    find: 'WHEN MAX(created_at) >= $4',
    replace: 'WHEN MAX(created_at) < 0',
  },
  {
    ...approvals,
    name: 'a new grant leaves the older one beside it',
    find: 'published === null ? 0 :',
    replace: 'published === null ? 1 :',
  },
  {
    name: 'a form of another session is called expired',
    file: source('authorization-server/consents.service'),
    find: "return left.sessionHash === tokenHash ? 'formExpired' : 'otherSession';",
    replace: "return left.sessionHash ? 'formExpired' : 'otherSession';",
    project: 'e2e-embedded',
    specs: 'test/oauth/refusals.e2e-spec.ts',
  },
  {
    ...forms,
    name: 'a form is answered by another session than it was shown to',
    find: "row?.['session_hash'] !== session.tokenHash || row['origin'] !== origin",
    replace: "row?.['origin'] !== origin",
  },
  {
    ...forms,
    name: 'a form is good for ever',
    find: "if (Number(row['expires_at']) <= Date.now()) return undefined;",
    replace: '',
  },
];
