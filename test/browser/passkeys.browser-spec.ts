import { AccountPage } from '../support/account-page.js';
import { startBuiltServer } from '../support/built-server.js';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';

describe('passkeys in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() => startBuiltServer());
  let account: AccountPage;
  let authenticator: VirtualAuthenticator;

  beforeEach(async () => {
    const { page, device } = await chromium.open();
    authenticator = device;
    account = new AccountPage(page, server.origin);
    await account.open();
  });

  const signUp = async () => {
    const { status, body } = await account.signUp('Ann');
    expect([status, body]).toEqual([200, { user: { id: expect.any(String), displayName: 'Ann' } }]);
    return body as { readonly user: { readonly id: string; readonly displayName: string } };
  };

  it('a person signs up, signs out and signs in again', async () => {
    expect(await account.me()).toEqual({ user: null, budget: null });
    const created = await signUp();
    expect(await account.me()).toMatchObject({ ...created, budget: { used: 0 } });

    expect(await account.signOut()).toBe(204);
    expect(await account.me()).toEqual({ user: null, budget: null });
    expect(await account.page.context().cookies()).toEqual([]);

    expect(await account.signIn()).toEqual({ status: 200, body: created });
    expect(await account.me()).toMatchObject(created);
  });

  it('the session is still there after a reload and on a page of its own', async () => {
    const { user } = await signUp();
    await account.page.reload();
    expect((await account.me()).user).toEqual(user);
    const opened = new AccountPage(await account.page.context().newPage(), server.origin);
    await opened.open();
    expect(await opened.page.locator('body').innerText()).toContain(user.id);
  });

  it('the cookie is HttpOnly and Lax, and no script reads it', async () => {
    await signUp();
    expect(await account.page.context().cookies()).toEqual([
      expect.objectContaining({
        name: 'session',
        value: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        domain: 'localhost',
        path: '/',
        httpOnly: true,
        secure: false,
        sameSite: 'Lax',
      }),
    ]);
    expect(await account.visibleCookies()).toBe('');
  });

  it('the authenticator keeps one discoverable passkey with the user id as its handle', async () => {
    const { user } = await signUp();
    const [passkey, ...more] = await authenticator.credentials();
    expect(more).toEqual([]);
    expect(passkey).toMatchObject({ rpId: 'localhost', isResidentCredential: true });
    expect(Buffer.from(passkey?.userHandle ?? '', 'base64').toString()).toBe(user.id);
    expect([passkey?.userName, passkey?.userDisplayName]).toEqual(['Ann', 'Ann']);
  });

  it('a second authenticator is added, and each signs in', async () => {
    const created = await signUp();
    const stick = await VirtualAuthenticator.plugInto(account.page, 'usb');
    await authenticator.isTouched(false);
    expect(await account.addPasskey()).toEqual({ status: 200, body: created });
    expect(await stick.credentials()).toHaveLength(1);

    await account.signOut();
    expect(await account.signIn()).toEqual({ status: 200, body: created });
    await authenticator.isTouched(true);
    await stick.isTouched(false);
    await account.signOut();
    expect(await account.signIn()).toEqual({ status: 200, body: created });
  });

  it('an authenticator that has a passkey of the account is not asked for another one', async () => {
    await signUp();
    expect(await account.addPasskey()).toEqual({ refusal: 'InvalidStateError' });
    expect(await authenticator.credentials()).toHaveLength(1);
    await account.signOut();
    expect((await account.signIn()).status).toBe(200);
  });

  it('a sign-up that is cancelled leaves nothing behind, and works when tried again', async () => {
    await authenticator.verifiesUser(false);
    const before = await server.countUsers();
    expect(await account.signUp('Ann')).toEqual({ refusal: 'NotAllowedError' });
    expect(await authenticator.credentials()).toEqual([]);
    expect(await account.page.context().cookies()).toEqual([]);
    expect(await server.countUsers()).toBe(before);

    await authenticator.verifiesUser(true);
    await signUp();
    expect(await server.countUsers()).toBe(before + 1);
  });

  it('a sign-in that is cancelled leaves one signed out, and works when tried again', async () => {
    const created = await signUp();
    await account.signOut();
    await authenticator.verifiesUser(false);
    expect(await account.signIn()).toEqual({ refusal: 'NotAllowedError' });
    expect((await account.me()).user).toBeNull();

    await authenticator.verifiesUser(true);
    expect(await account.signIn()).toEqual({ status: 200, body: created });
  });

  it('signing in replaces the session that was there', async () => {
    await signUp();
    const [old] = await account.page.context().cookies();
    expect((await account.signIn()).status).toBe(200);
    const [renewed] = await account.page.context().cookies();
    expect(renewed?.value).not.toBe(old?.value);
  });
});
