const script = (name) => `libs/account-page/src/page-script/${name}.ts`;
const project = 'browser';
const specs = ['test/browser/recover-page.browser-spec.ts'];

export const mutants = [
  {
    name: 'the code of a link stays in the address',
    file: script('start-recover'),
    find: "if (location.href.includes('#'))",
    replace: "if (location.href.includes('##'))",
    project,
    specs,
  },
  {
    name: 'a link signs in by itself',
    file: script('start-recover'),
    find: "  part('act').focus();\n",
    replace: "  part('act').click();\n",
    project,
    specs,
  },
  {
    name: 'any session is taken for one that began with a recovery',
    file: 'libs/accounts/src/sessions/sessions.service.ts',
    find: 'if (credentialId !== null) return false;',
    replace: 'if (credentialId !== null) return true;',
    project: 'e2e-embedded',
    specs: ['test/account/recover-page.e2e-spec.ts'],
  },
];
