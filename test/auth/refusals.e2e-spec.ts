import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import {
  ALG,
  type CreateOverrides,
  type GetOverrides,
  SoftAuthenticator,
} from '../support/soft-authenticator/index.js';

const OPTIONS = '/svc/auth/register/options';
const REGISTER = '/svc/auth/register/verify';
const LOGIN = '/svc/auth/login/verify';

type Refused = (browser: Browser, origin: string) => Promise<Answer>;

const named =
  (displayName: unknown): Refused =>
  (browser) =>
    browser.post(OPTIONS, { displayName });
const signUpWith =
  (overrides: CreateOverrides): Refused =>
  (browser) =>
    browser.signUp('Ann', { alg: ALG.ES256, overrides });
const signInWith =
  (overrides: GetOverrides): Refused =>
  async (browser) => {
    await browser.signUp('Ann', { alg: ALG.ES256 });
    return browser.signIn({ overrides });
  };

/** Every refusal that people can meet at sign-up and sign-in: the status, what happened, and what to do next. */
const REFUSALS: readonly [string, Refused, number, RegExp][] = [
  ['no name', named(undefined), 400, /^displayName has to be a text of 1 to 40 characters$/],
  ['an empty name', named(' '), 400, /^displayName is empty; enter 1 to 40 characters$/],
  ['a long name', named('x'.repeat(41)), 400, /^displayName is too long; enter 1 to 40/],
  [
    'an invisible character',
    named('Your\u200bname'),
    400,
    /^displayName has an invisible character, U\+200B \(zero width space\), at position 5; delete it/,
  ],
  [
    'a control character',
    named('a\u0000'),
    400,
    /a control character, U\+0000, at position 2; del/,
  ],
  [
    'signed in already',
    async (browser) => {
      await browser.signUp();
      return browser.post(OPTIONS, { displayName: 'Ben' });
    },
    400,
    /already signed in; sign out first$/,
  ],
  ['a sign-up that is over', (b) => b.post(REGISTER, {}), 400, /^sign-up expired or was .*; start/],
  ['a sign-in that is over', (b) => b.post(LOGIN, {}), 400, /^sign-in expired or was .*; start/],
  [
    'a passkey that is registered',
    async (browser) => {
      await browser.signUp();
      browser.cookie = undefined;
      const [{ id = '' } = {}] = browser.authenticator.list('localhost');
      return browser.signUp('Ben', { overrides: { credentialId: id } });
    },
    409,
    /already registered; sign in with it/,
  ],
  [
    'a passkey while no one is signed in',
    async (browser, origin) => {
      await browser.signUp();
      const options = await browser.creationOptions({});
      browser.cookie = undefined;
      const other = SoftAuthenticator.securityKey();
      return browser.post(REGISTER, await other.create(options, origin));
    },
    403,
    /^sign in again to add a passkey$/,
  ],
  [
    'a passkey that is not known',
    async (browser) => {
      await browser.signUp();
      return browser.post(LOGIN, { ...(await browser.assert()), id: 'A'.repeat(22) });
    },
    400,
    /not registered here; use another, or create an account$/,
  ],
  ['an id of another form', signInWith({ id: 'x' }), 400, /id is malformed; try again/],
  ['another account', signInWith({ userHandle: 'eA' }), 400, /another account; use another one$/],
  [
    'no verification',
    signUpWith({ uv: false }),
    400,
    /did not verify that it was you; set up a PIN/,
  ],
  ['no user present', signUpWith({ up: false }), 400, /did not detect anyone present; try again/],
  ['another site', signUpWith({ origin: 'https://evil.example' }), 400, /for another site; reload/],
  [
    'another kind',
    signUpWith({ type: 'webauthn.get' }),
    400,
    /different kind of request; try again/,
  ],
  ['another key', signUpWith({ cose: new Map([[3, -35]]) }), 400, /type of key .*; use another/],
  ['attestation', signUpWith({ fmt: 'tpm' }), 400, /attestation is not accepted; use another/],
  [
    'a bad signature',
    signInWith({ badSignature: true }),
    400,
    /signature is not valid; use another/,
  ],
  [
    'an old counter',
    async (browser) => {
      await browser.signUp();
      await browser.signIn();
      return browser.signIn({ overrides: { counter: 1 } });
    },
    400,
    /counter started over, .*; use another passkey or a recovery code, or ask an administrator/,
  ],
  [
    'its backup',
    signInWith({ be: true, bs: true }),
    400,
    /its backup status changed, .*; use another passkey or a recovery code, or ask an administrator/,
  ],
  [
    'no sense',
    signInWith({ trailing: Buffer.from('x') }),
    400,
    /answer is not valid; try again, or use/,
  ],
];

describe('refusals at sign-up and sign-in (contract: Registration)', () => {
  const gatehouse = useGatehouse();
  /** By sentence its cause, so that no two causes share a sentence. */
  const sentences = new Map<string, string>();

  it.each(REFUSALS)('%s: what happened and what to do', async (cause, refused, status, said) => {
    const browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
    const answer = await refused(browser, gatehouse.origin);
    expect([answer.status, Object.keys(answer.json())]).toEqual([status, ['error']]);
    const { error } = answer.json<{ error: string }>();
    expect(error).toMatch(said);
    expect(error).not.toMatch(/evil|node_modules|Error|undefined|\n/);
    expect(sentences.get(error) ?? cause).toBe(cause);
    sentences.set(error, cause);
  });
});
