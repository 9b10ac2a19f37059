const source = (path) => `libs/ui-templates/src/${path}.ts`;
const spec = (path) => `libs/ui-templates/src/${path}.spec.ts`;

export const mutants = [
  {
    name: 'quotes are not escaped, so that an attribute value can end itself',
    file: source('html/html'),
    find: `/[&<>"'`,
    replace: '/[&<>',
    project: 'unit',
    specs: [spec('html/html')],
  },
  {
    name: 'form-action without the target of the redirect',
    file: source('layout/content-security-policy'),
    find: '...redirect, ',
    replace: '...redirect.slice(2), ',
    project: 'unit',
    specs: [spec('layout/content-security-policy'), spec('pages/consent-page')],
  },
  {
    name: 'the same nonce in every response',
    file: source('layout/page'),
    find: `randomBytes(16).toString('base64url')`,
    replace: `randomBytes(16).fill(1).toString('base64url')`,
    project: 'unit',
    specs: [spec('pages/sign-in-page')],
  },
  {
    name: 'no loopback warning for [::1]',
    file: source('pages/redirect-target'),
    find: String.raw`|\[::1\])$/i`,
    replace: ')$/i',
    project: 'unit',
    specs: [spec('pages/redirect-target'), spec('pages/sign-in-page')],
  },
  {
    name: 'the page does not go on after a sign-in',
    file: source('page-script/elements'),
    find: 'location.replace(location.pathname + location.search);',
    replace: 'void location;',
    project: 'browser',
    specs: ['test/browser/page-script.browser-spec.ts'],
  },
  {
    name: 'another account signs the first one out before it has signed in',
    file: source('page-script/start-consent'),
    find: '() => void attempt(() => againWhenExpired(signIn), texts.signingIn),',
    replace:
      "() => void attempt(() => post('logout', {}).then(() => againWhenExpired(signIn)), texts.signingIn),",
    project: 'browser',
    specs: ['test/browser/consent-script.browser-spec.ts'],
  },
  {
    name: 'the browser is told when somebody signed in',
    file: source('page-script/signed-in-before'),
    find: "window.localStorage.setItem(KEY, 'yes');",
    replace: 'window.localStorage.setItem(KEY, String(Date.now()));',
    project: 'browser',
    specs: ['test/browser/sign-in-here.browser-spec.ts'],
  },
  {
    name: 'a file of the page script throws when it is loaded',
    file: source('page-script/elements'),
    find: 'export function control(',
    replace: "document.getElementById('no-such-element').focus();\nexport function control(",
    project: 'browser',
    specs: ['test/browser/pages.browser-spec.ts'],
  },
];
