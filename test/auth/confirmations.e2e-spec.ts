import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { ConfirmationsService } from '#libs/passkeys';
import { passkeysOf, sessionsOf, withFurtherPasskey } from '../account/own-account.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, useReplicas } from '../support/gatehouse.js';
import { type GetOverrides, SoftAuthenticator } from '../support/soft-authenticator/index.js';
import { countStored } from '../support/stored.js';

const SUBJECT = 'a hash of what is confirmed';
const LOGIN = '/svc/auth/login/verify';
const REGISTER = '/svc/auth/register/verify';

interface Person {
  readonly id: string;
  readonly browser: Browser;
}

/** No route of its own: what is confirmed says who may ask. */
describe('a confirmation with a passkey', () => {
  const [here, there] = useReplicas();
  let origin: string;
  let ann: Person;
  let events: SecurityEvent[];
  let stopListening: () => void;

  beforeEach(async () => {
    origin = here.origin;
    ann = await person('Ann');
    events = [];
    stopListening = here.app.get(SecurityEventsService).listen((event) => void events.push(event));
  });
  afterEach(() => stopListening());

  const at = (gatehouse: Gatehouse) => gatehouse.app.get(ConfirmationsService, { strict: false });
  const person = async (name: string): Promise<Person> => {
    const browser = new Browser(here, SoftAuthenticator.securityKey());
    await browser.signUp(name);
    await browser.signIn();
    return { id: (await browser.me()).user?.id ?? '', browser };
  };
  const optionsFor = async (who = ann): Promise<PublicKeyCredentialRequestOptionsJSON> =>
    at(here).options(who, origin, SUBJECT);
  const assertionOf = (
    { browser: { authenticator } }: Person,
    options: PublicKeyCredentialRequestOptionsJSON,
    overrides: GetOverrides = {},
  ) => authenticator.get(options, origin, { overrides });
  const verify = (assertion: unknown, who = ann, on = here) =>
    at(on).verify(who, origin, SUBJECT, assertion);
  const refused = {
    status: 403,
    message: 'the passkey did not confirm this; try again, with a passkey of your account',
  };
  const wins = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.filter(({ status }) => status === 'fulfilled');

  it('asks for a passkey of the account, with user verification, and stores nothing', async () => {
    await withFurtherPasskey(here, ann.browser);
    const before = await countStored(here, 'taken_challenges');
    const options = await optionsFor();
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(options.timeout).toBe(5 * 60_000);
    const ids = (await passkeysOf(ann.browser)).map(({ id }) => id);
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual(ids);
    expect(options.challenge).toMatch(/^[\w-]{43}$/);
    expect((await optionsFor()).challenge).not.toBe(options.challenge);
    expect(await countStored(here, 'taken_challenges')).toBe(before);
  });

  it('is good on any replica, and neither begins a session nor tells of a sign-in', async () => {
    const sessions = (await sessionsOf(ann.browser)).map(({ id, createdAt }) => [id, createdAt]);
    await verify(await assertionOf(ann, await optionsFor()), ann, there);
    const after = await sessionsOf(ann.browser);
    expect(after.map(({ id, createdAt }) => [id, createdAt])).toEqual(sessions);
    expect(events).toEqual([]);
  });

  it('stores what the authenticator reports, as a sign-in does', async () => {
    const browser = new Browser(here);
    await browser.signUp();
    const bob = { id: (await browser.me()).user?.id ?? '', browser };
    expect(await passkeysOf(browser)).toMatchObject([{ synced: true, lastUsedAt: null }]);
    await verify(await assertionOf(bob, await optionsFor(bob), { bs: false }), bob);
    expect(await passkeysOf(browser)).toMatchObject([
      { synced: false, lastUsedAt: expect.any(Number) },
    ]);
    await verify(await assertionOf(ann, await optionsFor(), { counter: 9 }));
    expect((await ann.browser.signIn({ overrides: { counter: 9 } })).status).toBe(400);
    expect((await ann.browser.signIn({ overrides: { counter: 10 } })).status).toBe(200);
  });

  it.each<[string, GetOverrides]>([
    ['without user verification', { uv: false }],
    ['without anyone present', { up: false }],
    ['with a bad signature', { badSignature: true }],
    ['of the type of a registration', { type: 'webauthn.create' }],
    ['made on another origin', { origin: 'http://evil.localhost' }],
    ['made for another relying party', { rpId: 'evil.localhost' }],
    ['made in a frame', { crossOrigin: true }],
    ['with another user handle', { userHandle: Buffer.from('bob').toString('base64url') }],
    ['of a passkey that is unknown', { id: 'A'.repeat(43) }],
    ['of a malformed passkey id', { id: 'x' }],
    ['with the counter of the sign-in before', { counter: 1 }],
    ['with a counter that started over', { counter: 0 }],
    ['with another eligibility for backup', { be: true }],
    ['whose client data are too long', { clientDataChars: 4_098 }],
  ])('is none %s, and is over then', async (_fault, overrides) => {
    const options = await optionsFor();
    const assertion = await assertionOf(ann, options, overrides);
    await expect(verify(assertion)).rejects.toMatchObject(refused);
    const isRead = overrides.clientDataChars === undefined;
    const again = verify(await assertionOf(ann, options), ann, there);
    await (isRead ? expect(again).rejects.toMatchObject(refused) : again);
    await verify(await assertionOf(ann, await optionsFor()));
  });

  it('tells operators of a passkey that may be a copy, and of no forged one', async () => {
    const present = async (overrides: GetOverrides) =>
      verify(await assertionOf(ann, await optionsFor(), overrides)).catch(() => undefined);
    await present({ counter: 0, badSignature: true });
    await present({ be: true, badSignature: true });
    expect(events).toEqual([]);
    await present({ counter: 0 });
    await present({ be: true });
    expect(events).toEqual([
      { type: 'signature-counter-reversed', userId: ann.id, origin },
      { type: 'backup-eligibility-changed', userId: ann.id, origin },
    ]);
  });

  it.each<[string, (bob: Person, assertion: AuthenticationResponseJSON) => Promise<unknown>]>([
    ['subject', (_bob, assertion) => at(here).verify(ann, origin, `${SUBJECT}.`, assertion)],
    ['account', (bob, assertion) => at(here).verify(bob, origin, SUBJECT, assertion)],
    ['origin', (_bob, assertion) => at(here).verify(ann, 'http://localhost:1', SUBJECT, assertion)],
    [
      'origin and its host',
      (_bob, assertion) => at(here).verify(ann, `http://a.${origin.slice(7)}`, SUBJECT, assertion),
    ],
  ])('is none for another %s, and is over then', async (_what, present) => {
    const bob = await person('Bob');
    const assertion = await assertionOf(ann, await optionsFor());
    await expect(present(bob, assertion)).rejects.toMatchObject(refused);
    await expect(verify(assertion)).rejects.toMatchObject(refused);
  });

  it('is none by a passkey of another account', async () => {
    const bob = await person('Bob');
    const { allowCredentials: _, ...options } = await optionsFor();
    await expect(verify(await assertionOf(bob, options))).rejects.toMatchObject(refused);
    const handle = { userHandle: Buffer.from(ann.id).toString('base64url') };
    const { allowCredentials: __, ...further } = await optionsFor();
    await expect(verify(await assertionOf(bob, further, handle))).rejects.toMatchObject(refused);
    const { allowCredentials: ___, ...third } = await optionsFor();
    await expect(verify(await assertionOf(bob, third), bob)).rejects.toMatchObject(refused);
  });

  it('is none by the challenge of a sign-in, which it uses up', async () => {
    const assertion = await ann.browser.assert();
    await expect(verify(assertion)).rejects.toMatchObject(refused);
    expect((await ann.browser.post(LOGIN, assertion)).status).toBe(400);
  });

  it('is none by the challenge of a registration, which it uses up', async () => {
    const creation = await ann.browser.creationOptions({});
    const { challenge } = creation;
    const assertion = await assertionOf(ann, { ...(await optionsFor()), challenge });
    await expect(verify(assertion, ann, there)).rejects.toMatchObject(refused);
    const response = await new SoftAuthenticator().create(creation, origin);
    expect((await ann.browser.post(REGISTER, response)).status).toBe(400);
  });

  it.each([LOGIN, REGISTER])('is refused by %s, which uses it up', async (path) => {
    const options = await optionsFor();
    const assertion = await assertionOf(ann, options);
    const stranger = new Browser(here);
    const answers = [await stranger.post(path, assertion), await ann.browser.post(path, assertion)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(stranger.cookie).toBeUndefined();
    await expect(verify(await assertionOf(ann, options))).rejects.toMatchObject(refused);
  });

  it.each([undefined, null, 7, 'x', [], {}, { response: {} }, { id: 'x', response: 'x' }])(
    'is none in %j',
    async (assertion) => {
      await expect(verify(assertion)).rejects.toMatchObject(refused);
    },
  );

  it('is good once: of 32 at once on two replicas one wins', async () => {
    const assertion = await assertionOf(ann, await optionsFor());
    const calls = Array.from({ length: 32 }, (_, n) =>
      verify(assertion, ann, n % 2 ? here : there),
    );
    expect(wins(await Promise.allSettled(calls))).toHaveLength(1);
    await expect(verify(assertion)).rejects.toMatchObject(refused);
  });

  it('of two with the same counter value one wins', async () => {
    const overrides = { counter: 7 };
    const options = [await optionsFor(), await optionsFor()];
    const assertions = await Promise.all(options.map((one) => assertionOf(ann, one, overrides)));
    const calls = assertions.map((one, n) => verify(one, ann, n === 0 ? here : there));
    expect(wins(await Promise.allSettled(calls))).toHaveLength(1);
  });

  it('is none of a passkey that was removed meanwhile', async () => {
    const further = await withFurtherPasskey(here, ann.browser);
    const assertion = await assertionOf({ ...ann, browser: further }, await optionsFor());
    const removal = await ann.browser.send('DELETE', `/svc/me/passkeys/${assertion.id}`);
    expect(removal.status).toBe(204);
    await expect(verify(assertion)).rejects.toMatchObject(refused);
  });

  it.each([
    ['disabled', 'disable'],
    ['deleted', 'delete'],
  ])('is none of an account that was %s meanwhile', async (_what, verb) => {
    const assertion = await assertionOf(ann, await optionsFor());
    await new Admin(here).text('users', verb, ann.id, '--yes');
    await expect(verify(assertion)).rejects.toMatchObject(refused);
  });

  it('cannot be asked of an account without a passkey of the origin', async () => {
    const none = {
      status: 403,
      message:
        'this has to be confirmed with a passkey, and your account has none for this site; add one first',
    };
    const elsewhere = `http://a.${origin.slice(7)}`;
    await expect(at(here).options(ann, elsewhere, SUBJECT)).rejects.toMatchObject(none);
    await expect(at(here).options({ id: 'unknown' }, origin, SUBJECT)).rejects.toMatchObject(none);
  });
});
