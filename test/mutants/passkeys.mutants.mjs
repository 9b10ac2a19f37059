const file = (name) => `libs/passkeys/src/${name}.ts`;
const spec = (name) => `libs/passkeys/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'a challenge is taken on any origin',
    file: file('challenges/challenges.service'),
    find: 'issued.origin !== origin || ',
    replace: '',
    project: 'unit',
    specs: [spec('challenges/challenges.service')],
  },
  {
    name: 'a challenge is taken for any purpose',
    file: file('challenges/challenges.service'),
    find: 'purposes.some((p) => p === issued.purpose)',
    replace: 'purposes.length > 0 && issued !== undefined',
    project: 'unit',
    specs: [spec('challenges/challenges.service')],
  },
  {
    name: 'a challenge of the wrong purpose is not used up',
    file: file('challenges/challenges.service'),
    find: 'const issued = await this.store.take(challenge);',
    replace: `const issued = await this.store.take(challenge);
    if (issued && !isFor(issued, purposes)) await this.issue(challenge, issued);`,
    project: 'unit',
    specs: [spec('challenges/challenges.service')],
  },
  {
    name: 'the signature counter is written without comparing it',
    file: file('credentials/credentials.service'),
    find: '{ id, signCount },',
    replace: 'signCount < 0 ? { id, signCount } : { id },',
    project: 'unit',
    specs: [spec('credentials/credentials.service')],
  },
  {
    name: 'the outcome of writing the signature counter is not asked',
    file: file('ceremonies/login.service'),
    find: "if (!advanced) throw notVerified(new Error('signed in twice at once'));",
    replace: 'if (!advanced && newCount < 0) throw notVerified();',
    project: 'e2e-embedded',
    specs: ['test/auth/concurrency.e2e-spec.ts'],
  },
  {
    name: 'the relying party that a credential was made for is not compared',
    file: file('ceremonies/authentication-verification'),
    find: "if (rpId !== party.hostname) throw new Error('Unexpected response origin');",
    replace: 'void rpId;',
    project: 'e2e-embedded',
    specs: ['test/auth/verification.e2e-spec.ts'],
  },
  {
    name: 'client data of a frame is accepted',
    file: file('ceremonies/client-data'),
    find: "if (framed) throw new Error('Unexpected response origin');",
    replace: 'void framed;',
    project: 'e2e-embedded',
    specs: ['test/auth/verification.e2e-spec.ts'],
  },
];
