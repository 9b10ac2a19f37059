import {
  ALG,
  decodeBase64Url,
  encodeBase64Url,
  KeyPair,
  SoftAuthenticator,
  type Algorithm,
  type CreateOverrides,
  type GetOverrides,
} from './index.js';
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
const otherOrigin = 'http://localhost:3001';
const topOrigin = 'https://evil.example';
const trailing = Uint8Array.of(0);
const authExtensions = new Map([['hmac-secret', true]]);
const zeroPoint = new Map([...KeyPair.generate(ALG.ES256).cose(), [-2, new Uint8Array(32)]]);

describe('a faulty registration', () => {
  it.each<[string, CreateOverrides, string]>([
    ['type', { type: 'webauthn.get' }, 'response type: webauthn.get'],
    ['challenge', { challenge: 'b3RoZXI' }, 'response challenge "b3RoZXI"'],
    ['origin', { origin: otherOrigin }, `response origin "${otherOrigin}"`],
    ['client data', { clientData: { origin: undefined } }, 'response origin "undefined"'],
    ['raw client data', { clientDataRaw: '{' }, 'JSON'],
    ['relying party', { rpId: 'evil.example' }, 'Unexpected RP ID hash'],
    ['user presence', { up: false }, 'user was not present'],
    ['user verification', { uv: false }, 'user could not be verified'],
    [
      'backup flags',
      { be: false, bs: true },
      'Single-device credential indicated that it was backed up',
    ],
    ['flags', { flags: 0x05 }, 'Leftover bytes'],
    ['trailing bytes', { trailing }, 'Leftover bytes'],
    ['algorithm', { alg: -35 }, 'public key alg "-35"'],
    ['key', { cose: new Map([[1, 2]]) }, 'missing numeric alg'],
    ['key bytes', { cose: Uint8Array.of(0x81) }, 'array is not supported or well formed'],
    ['statement', { attStmt: new Map([['x', 1]]) }, 'unexpected attestation statement'],
    ['format', { fmt: 'fancy' }, 'Unsupported Attestation Format: fancy'],
    ['id', { credentialIdLength: 0 }, 'Missing credential ID'],
    ['raw id', { rawId: 'b3RoZXI' }, 'not base64url-encoded'],
    ['body', { mutate: (json) => void delete json.response }, 'undefined'],
    ['whole body', { mutate: () => ({}) }, 'Missing credential ID'],
  ])('shows in the %s, and the passkey is kept', async (_what, overrides, message) => {
    const authenticator = new SoftAuthenticator();
    await expect(register(authenticator, { overrides })).rejects.toThrow(message);
    expect(authenticator.list(rpID)).toHaveLength(1);
  });

  it.each<[string, CreateOverrides, object]>([
    ['a cross-origin frame', { crossOrigin: true }, {}],
    ['a top origin', { crossOrigin: true, topOrigin }, {}],
    ['another JSON id', { id: 'b3RoZXI' }, {}],
    ['an unusable key', { alg: ALG.ES256, cose: zeroPoint }, {}],
    ['strange transports', { transports: ['usb', 5] }, { credential: { transports: ['usb', 5] } }],
    ['transports of null', { transports: null }, { credential: { transports: null } }],
    [
      'an extension',
      { authExtensions },
      { authenticatorExtensionResults: { 'hmac-secret': true } },
    ],
    ['another counter', { counter: 7 }, { credential: { counter: 7 } }],
    ['other flags', { flags: 0x4d }, { credentialBackedUp: false }],
    ['no attachment', { attachment: null }, {}],
  ])('gets past the library with %s', async (_what, overrides, registrationInfo) => {
    const result = await register(new SoftAuthenticator(), { overrides });
    expect(result).toMatchObject({ verified: true, registrationInfo });
  });

  it.each(algorithms)('can have a packed self attestation, %s', async (_name, alg) => {
    const packed = (faults: CreateOverrides) =>
      register(SoftAuthenticator.synced({ rsaKeyPair }), {
        alg,
        overrides: { fmt: 'packed', ...faults },
      });
    const good = { verified: true, registrationInfo: { fmt: 'packed' } };
    expect(await packed({})).toMatchObject(good);
    expect(await packed({ badSignature: true })).toEqual({ verified: false });
    expect(await packed({ signingKey: KeyPair.generate(alg) })).toEqual({ verified: false });
  });

  it('can name another model', async () => {
    const authenticator = new SoftAuthenticator({ aaguid: '01020304-0506-0708-0102-030405060708' });
    const overrides = { aaguid: new Uint8Array(16).fill(0xff) };
    const [own, other] = [
      await registered(authenticator),
      await registered(authenticator, { overrides }),
    ];
    expect(own.aaguid).toBe('01020304-0506-0708-0102-030405060708');
    expect(other.aaguid).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it.each([
    [11, 15],
    [12, 16],
    [1023, 1364],
    [1024, 1366],
    [1025, 1367],
  ])('can have an id of %i bytes, %i characters', async (credentialIdLength, characters) => {
    const authenticator = new SoftAuthenticator();
    const { credential } = await registered(authenticator, { overrides: { credentialIdLength } });
    expect(credential.id).toHaveLength(characters);
    expect(await logIn(authenticator, credential)).toMatchObject({ verified: true });
  });

  it('can force an id, which never replaces an older passkey', async () => {
    const authenticator = new SoftAuthenticator();
    const credentialId = encodeBase64Url(Buffer.from('a forced credential id'));
    const { credential: older } = await registered(authenticator, { overrides: { credentialId } });
    const { credential: newer } = await registered(authenticator, { overrides: { credentialId } });
    expect([older.id, newer.id]).toEqual([credentialId, credentialId]);
    expect(await logIn(authenticator, older)).toMatchObject({ verified: true });
    expect(await logIn(authenticator, newer)).toMatchObject({ verified: false });
  });

  it('can leave nothing behind', async () => {
    const authenticator = new SoftAuthenticator();
    await register(authenticator, { overrides: { discard: true } });
    expect(authenticator.list(rpID)).toEqual([]);
  });
});

describe('a faulty authentication', () => {
  it.each<[string, GetOverrides, string]>([
    ['type', { type: 'webauthn.create' }, 'response type: webauthn.create'],
    ['challenge', { challenge: 'b3RoZXI' }, 'response challenge "b3RoZXI"'],
    ['origin', { origin: otherOrigin }, `response origin "${otherOrigin}"`],
    ['top origin', { topOrigin }, 'Unexpected top origin'],
    ['frame', { crossOrigin: true, topOrigin }, 'Detected cross-origin'],
    ['raw client data', { clientDataRaw: Uint8Array.of(0xff) }, 'JSON'],
    ['relying party', { rpId: 'evil.example' }, 'Unexpected RP ID hash'],
    ['user presence', { up: false }, 'User not present'],
    ['user verification', { uv: false }, 'user could not be verified'],
    ['backup flags', { be: false }, 'Single-device credential indicated that it was backed up'],
    ['flags', { flags: 0x04 }, 'User not present'],
    ['trailing bytes', { trailing }, 'Leftover bytes'],
    ['JSON', { mutate: (json) => ({ ...json, type: 'password' }) }, 'credential type password'],
    ['raw id', { rawId: 'b3RoZXI' }, 'not base64url-encoded'],
  ])('shows in the %s, and in nothing that is kept', async (_what, overrides, message) => {
    const authenticator = new SoftAuthenticator();
    const { credential } = await registered(authenticator);
    await expect(logIn(authenticator, credential, overrides)).rejects.toThrow(message);
    expect(await logIn(authenticator, credential)).toMatchObject({ verified: true });
  });

  it.each(algorithms)('can have a bad signature, %s', async (_name, alg) => {
    const authenticator = new SoftAuthenticator({ rsaKeyPair });
    const { credential } = await registered(authenticator, { alg });
    const signingKey = KeyPair.generate(alg);
    const signature = signingKey.sign(Buffer.from('something else'));
    const results = await Promise.all([
      logIn(authenticator, credential, { badSignature: true }),
      logIn(authenticator, credential, { signingKey }),
      logIn(authenticator, credential, { signature }),
    ]);
    expect(results.map(({ verified }) => verified)).toEqual([false, false, false]);
    expect(await logIn(authenticator, credential)).toMatchObject({ verified: true });
  });

  it('can report any counter while the real one goes on', async () => {
    const key = SoftAuthenticator.securityKey();
    const { credential } = await registered(key);
    const high = await logIn(key, credential, { counter: 2 ** 32 - 1 });
    expect(high.authenticationInfo.newCounter).toBe(2 ** 32 - 1);
    await expect(logIn(key, { ...credential, counter: 5 }, { counter: 5 })).rejects.toThrow(
      'counter value 5',
    );
    expect(key.list(rpID)).toMatchObject([{ counter: 2 }]);
  });

  it.each<[string, GetOverrides, object]>([
    ['text', { userHandle: 'b3RoZXI' }, { userHandle: 'b3RoZXI' }],
    ['nothing', { userHandle: '' }, { userHandle: '' }],
    ['null', { userHandle: null }, { userHandle: null }],
  ])('can have a user handle of %s', async (_what, overrides, members) => {
    const authenticator = new SoftAuthenticator();
    await register(authenticator);
    const { response } = await authenticator.get(await requestOptions(), origin, { overrides });
    expect(response).toMatchObject(members);
  });

  it('can have no user handle', async () => {
    const authenticator = new SoftAuthenticator();
    await register(authenticator);
    const overrides = { userHandle: false } as const;
    const { response } = await authenticator.get(await requestOptions(), origin, { overrides });
    expect(response).not.toHaveProperty('userHandle');
  });
});

describe('client data', () => {
  it.each([4096, 4098, 5000])('can have exactly %i characters', async (clientDataChars) => {
    const authenticator = new SoftAuthenticator();
    const overrides = { clientDataChars, crossOrigin: true };
    const created = await authenticator.create(await creationOptions(), origin, { overrides });
    expect(created.response.clientDataJSON).toHaveLength(clientDataChars);
    const { credential } = await registered(authenticator, { overrides });
    expect(await logIn(authenticator, credential, overrides)).toMatchObject({ verified: true });
  });

  it.each([4097, 40])('cannot have %i characters', async (clientDataChars) => {
    const overrides = { clientDataChars };
    const authenticator = new SoftAuthenticator();
    await expect(register(authenticator, { overrides })).rejects.toThrow(RangeError);
    expect(authenticator.list(rpID)).toEqual([]);
  });

  it('says what it is told to', async () => {
    const overrides = { crossOrigin: true, topOrigin, clientData: { extra: [1] } };
    const options = await creationOptions();
    const { response } = await new SoftAuthenticator().create(options, origin, { overrides });
    const json = Buffer.from(decodeBase64Url(response.clientDataJSON, 'it')).toString();
    const { challenge } = options;
    const truth = { type: 'webauthn.create', challenge, origin };
    expect(JSON.parse(json)).toEqual({ ...truth, crossOrigin: true, topOrigin, extra: [1] });
  });
});
