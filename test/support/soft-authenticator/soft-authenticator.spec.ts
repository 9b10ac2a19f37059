import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { ALG, encodeBase64Url, KeyPair, SoftAuthenticator, type Algorithm } from './index.js';
import {
  creationOptions,
  logIn,
  origin,
  register,
  registered,
  requestOptions,
  rpID,
} from './relying-party.js';

const rsaKeyPair = KeyPair.sharedRsa();
const algorithms = Object.entries(ALG) as [string, Algorithm][];

const offer = (alg: unknown) => [{ type: 'public-key', alg }];

describe('a soft authenticator', () => {
  it.each(algorithms)('registers and signs in three times with %s', async (_name, alg) => {
    const key = SoftAuthenticator.securityKey({ rsaKeyPair });
    const info = await registered(key, { alg });
    expect(info).toMatchObject({
      fmt: 'none',
      userVerified: true,
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
      credential: { counter: 0, transports: ['usb', 'nfc'] },
    });
    const { credential } = info;
    const first = await logIn(key, credential);
    const second = await logIn(key, { ...credential, counter: 1 });
    const third = await logIn(key, { ...credential, counter: 2 });
    expect([first, second, third]).toMatchObject(
      [1, 2, 3].map((newCounter) => ({ verified: true, authenticationInfo: { newCounter } })),
    );
  });

  it('keeps a counter of 0 when synced', async () => {
    const phone = SoftAuthenticator.synced();
    const info = await registered(phone);
    expect(info).toMatchObject({
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
      credential: { counter: 0, transports: ['hybrid', 'internal'] },
    });
    await logIn(phone, info.credential);
    const authenticationInfo = { newCounter: 0, credentialBackedUp: true };
    expect(await logIn(phone, info.credential)).toMatchObject({
      verified: true,
      authenticationInfo,
    });
  });

  it.each([
    [undefined, ALG.EdDSA],
    [[ALG.RS256, ALG.ES256], ALG.ES256],
    [[ALG.RS256], ALG.RS256],
  ])('supporting %p takes the first algorithm offered, %i', async (supported, taken) => {
    const authenticator = new SoftAuthenticator({ algorithms: supported, rsaKeyPair });
    await register(authenticator);
    expect(authenticator.list(rpID)).toMatchObject([{ keyPair: { algorithm: taken } }]);
  });

  it('makes a new RSA key pair when given none', async () => {
    const authenticator = new SoftAuthenticator({ algorithms: [ALG.RS256] });
    const { credential } = await registered(authenticator);
    const signingKey = rsaKeyPair;
    expect(await logIn(authenticator, credential)).toMatchObject({ verified: true });
    expect(await logIn(authenticator, credential, { signingKey })).toMatchObject({
      verified: false,
    });
  });

  it('sends the JSON members a browser sends', async () => {
    const authenticator = new SoftAuthenticator();
    const options = await creationOptions();
    const created = await authenticator.create(options, origin);
    const { challenge } = options;
    const clientData = { type: 'webauthn.create', challenge, origin, crossOrigin: false };
    expect(created).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      rawId: created.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: encodeBase64Url(Buffer.from(JSON.stringify(clientData))),
        attestationObject: expect.any(String),
        authenticatorData: expect.any(String),
        transports: ['hybrid', 'internal'],
        publicKey: expect.any(String),
        publicKeyAlgorithm: ALG.EdDSA,
      },
    });
    const got = await authenticator.get(await requestOptions(), origin);
    expect(got).toEqual({
      id: created.id,
      rawId: created.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: expect.any(String),
        authenticatorData: expect.any(String),
        signature: expect.any(String),
        userHandle: options.user.id,
      },
    });
  });

  it('clones with counters of their own, lists and forgets', async () => {
    const key = SoftAuthenticator.securityKey();
    const { credential } = await registered(key);
    const copy = key.clone();
    await logIn(key, credential);
    const used = { ...credential, counter: 1 };
    await expect(logIn(copy, used)).rejects.toThrow('counter value 1 was lower');
    expect(key.list(rpID)).toMatchObject([{ id: credential.id, userName: 'Ann', counter: 1 }]);
    expect(key.list('example.com')).toEqual([]);
    expect([key.forget(credential.id), key.forget(credential.id)]).toEqual([true, false]);
    await expect(logIn(key, credential)).rejects.toThrow('no such passkey');
    expect(await logIn(copy, used)).toMatchObject({ verified: true });
  });

  it('signs in with the newest passkey that is allowed', async () => {
    const authenticator = new SoftAuthenticator();
    const [older, newer] = [await registered(authenticator), await registered(authenticator)];
    const options = await requestOptions();
    const only = {
      ...options,
      allowCredentials: [{ id: older.credential.id, type: 'public-key' }],
    };
    const credentialId = newer.credential.id;
    expect(await authenticator.get(options, origin)).toMatchObject({ id: credentialId });
    expect(await authenticator.get(only, origin)).toMatchObject({ id: older.credential.id });
    await expect(authenticator.get(only, origin, { credentialId })).rejects.toMatchObject({
      name: 'NotAllowedError',
    });
  });
});

describe('a strict browser', () => {
  type Creation = PublicKeyCredentialCreationOptionsJSON;
  const user = { id: 'dXNlcg', name: 'Ann', displayName: 'Ann' };
  const creation: Creation = {
    rp: { id: rpID, name: 'Test' },
    user,
    challenge: 'Y2hhbGxlbmdl',
    pubKeyCredParams: [{ type: 'public-key', alg: ALG.ES256 }],
  };

  it.each<[string, string, object]>([
    ['TypeError', 'no relying party', { rp: undefined }],
    ['TypeError', 'a relying party without a name', { rp: { id: rpID } }],
    ['TypeError', 'no user', { user: undefined }],
    ['TypeError', 'a user without a name', { user: { ...user, name: undefined } }],
    ['TypeError', 'a user without a display name', { user: { ...user, displayName: undefined } }],
    ['TypeError', 'no user id', { user: { ...user, id: undefined } }],
    ['TypeError', 'an empty user id', { user: { ...user, id: '' } }],
    ['TypeError', 'a user id of 65 bytes', { user: { ...user, id: 'A'.repeat(87) } }],
    ['TypeError', 'a user id in standard base64', { user: { ...user, id: 'dXNlcg==' } }],
    ['TypeError', 'a user id with stray bits', { user: { ...user, id: 'dXNlch' } }],
    ['TypeError', 'no challenge', { challenge: undefined }],
    ['TypeError', 'no algorithms', { pubKeyCredParams: undefined }],
    ['TypeError', 'an algorithm as text', { pubKeyCredParams: offer('-7') }],
    ['TypeError', 'an excluded passkey without type', { excludeCredentials: [{ id: 'AA' }] }],
    ['NotSupportedError', 'only unknown algorithms', { pubKeyCredParams: offer(-48) }],
    ['SecurityError', 'a foreign relying party', { rp: { id: 'evil.example', name: 'Test' } }],
  ])('throws %s for creation options with %s', async (name, _what, members) => {
    const options = { ...creation, ...members } as Creation;
    const authenticator = new SoftAuthenticator();
    await expect(authenticator.create(options, origin)).rejects.toMatchObject({ name });
    expect(authenticator.list(rpID)).toEqual([]);
  });

  it.each<[string, string, object]>([
    ['TypeError', 'no challenge', { challenge: undefined }],
    ['TypeError', 'an allowed id that is no base64url', { allowCredentials: offer(ALG.ES256) }],
    ['SecurityError', 'a foreign relying party', { rpId: 'evil.example' }],
    ['NotAllowedError', 'nothing else', {}],
  ])('throws %s for request options with %s', async (name, _what, members) => {
    const options = { challenge: 'AAAA', ...members } as PublicKeyCredentialRequestOptionsJSON;
    const login = new SoftAuthenticator().get(options, origin);
    await expect(login).rejects.toMatchObject({ name });
  });

  it('takes a user id of 64 bytes', async () => {
    const options = { ...creation, user: { ...user, id: 'A'.repeat(86) } };
    const { id } = await new SoftAuthenticator().create(options, origin);
    expect(id).toHaveLength(43);
  });

  it('makes no second passkey where one is excluded', async () => {
    const authenticator = new SoftAuthenticator();
    const { id } = await authenticator.create(creation, origin);
    const options = { ...creation, excludeCredentials: [{ id, type: 'public-key' }] };
    await expect(authenticator.create(options, origin)).rejects.toBeInstanceOf(DOMException);
    const name = 'InvalidStateError';
    await expect(authenticator.create(options, origin)).rejects.toMatchObject({ name });
    expect(await new SoftAuthenticator().create(options, origin)).not.toMatchObject({ id });
  });

  it('does not use an algorithm that is not offered', async () => {
    const create = new SoftAuthenticator().create(creation, origin, { alg: ALG.EdDSA });
    await expect(create).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it.each([
    ['http://127.0.0.1:3000', '127.0.0.1', true],
    ['http://127.0.0.1:3000', '0.0.1', false],
    ['http://[::1]:3000', '[::1]', true],
    ['https://login.example.com', 'login.example.com', true],
    ['https://login.example.com', 'example.com', true],
    ['https://login.example.com', 'com', false],
    ['https://badexample.com', 'example.com', false],
    ['https://example.com', 'login.example.com', false],
  ])('on %s may be %s: %p', async (from, id, allowed) => {
    const options = { ...creation, rp: { ...creation.rp, id } };
    const name = await new SoftAuthenticator().create(options, from).then(
      () => 'none',
      (error: Error) => error.name,
    );
    expect(name).toBe(allowed ? 'none' : 'SecurityError');
  });

  it('can refuse IP addresses, and always refuses what is no origin', async () => {
    const browser = new SoftAuthenticator({ allowIpOrigins: false });
    const options = { ...creation, rp: { name: 'Test' } };
    const onIp = browser.create(options, 'http://127.0.0.1:3000');
    await expect(onIp).rejects.toMatchObject({ name: 'SecurityError' });
    const withPath = browser.create(options, `${origin}/`);
    await expect(withPath).rejects.toMatchObject({ name: 'TypeError' });
  });
});
