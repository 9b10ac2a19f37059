import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import {
  ALG,
  type CreateRequest,
  encodeCbor,
  type GetRequest,
  KeyPair,
  SoftAuthenticator,
} from '../support/soft-authenticator/index.js';

type CreateOverrides = NonNullable<CreateRequest['overrides']>;
type GetOverrides = NonNullable<GetRequest['overrides']>;

const zeros = Buffer.alloc(32);
const bomb = Buffer.concat([Buffer.alloc(9000, 0x81), Buffer.of(0)]);
const x5c = new Map<string, number | Buffer | Buffer[]>([
  ['alg', -7],
  ['sig', zeros],
  ['x5c', [zeros]],
]);

const client: [string, CreateOverrides & GetOverrides][] = [
  ['another origin', { origin: 'http://localhost:1' }],
  ['the origin in another case', { origin: 'http://LOCALHOST' }],
  ['crossOrigin true', { crossOrigin: true }],
  ['a topOrigin', { topOrigin: 'https://evil.example' }],
  ['crossOrigin true and a topOrigin', { crossOrigin: true, topOrigin: 'https://evil.example' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['no user present', { up: false }],
  ['user not verified', { uv: false }],
  ['backed up but not eligible', { be: false, bs: true }],
  ['bytes after the authenticator data', { trailing: Buffer.alloc(3) }],
];

const registrations: [string, CreateOverrides][] = [
  ...client,
  ['the type of a login', { type: 'webauthn.get' }],
  ['an algorithm that was not offered', { alg: -35 }],
  ['a post-quantum algorithm', { alg: -48 }],
  [
    'an Ed25519 key labelled RS256',
    {
      cose: new Map<number, number | Buffer>([
        [1, 1],
        [3, -257],
        [-1, 6],
        [-2, zeros],
      ]),
    },
  ],
  ['a key that is no map', { cose: encodeCbor(7) }],
  ['a nested key', { cose: bomb.subarray(-2000) }],
  ['packed attestation with a bad signature', { fmt: 'packed', badSignature: true }],
  ['packed attestation with certificates', { fmt: 'packed', attStmt: x5c }],
  ['the format fido-u2f', { fmt: 'fido-u2f' }],
  ['the format apple', { fmt: 'apple', attStmt: new Map([['x5c', [zeros]]]) }],
  ['the format android-key', { fmt: 'android-key', attStmt: x5c }],
  ['an unknown format', { fmt: 'x<script>' }],
  ['none with a statement', { fmt: 'none', attStmt: new Map([['a', 1]]) }],
  ['another id than the attested one', { id: 'A'.repeat(43) }],
  ['another rawId', { rawId: 'A'.repeat(43) }],
  [
    'attestationObject missing',
    {
      mutate: (json) =>
        void delete (json.response as { attestationObject?: unknown }).attestationObject,
    },
  ],
  [
    'attestationObject a bomb',
    {
      mutate: (json) =>
        void Object.assign(json.response ?? {}, { attestationObject: bomb.toString('base64url') }),
    },
  ],
  [
    'attestationObject broken',
    { mutate: (json) => void Object.assign(json.response ?? {}, { attestationObject: '***' }) },
  ],
  [
    'attestationObject in standard base64',
    {
      mutate: ({ response }) =>
        void Object.assign(response ?? {}, {
          attestationObject: `${response?.attestationObject}+`,
        }),
    },
  ],
  [
    'packed attestation of another algorithm than the key',
    {
      fmt: 'packed',
      attStmt: new Map<string, number | Buffer>([
        ['alg', -35],
        ['sig', zeros],
      ]),
    },
  ],
  ['id a number', { mutate: (json) => void Object.assign(json, { id: 7, rawId: 7 }) }],
  [
    'another type of credential',
    { mutate: (json) => void Object.assign(json, { type: 'password' }) },
  ],
];

const assertions: [string, GetOverrides][] = [
  ...client,
  ['the type of a registration', { type: 'webauthn.create' }],
  ['a bad signature', { badSignature: true }],
  ['no signature', { signature: Buffer.alloc(0) }],
  ['eligibility for backup that was not there', { be: true }],
  ['another rawId', { rawId: 'A'.repeat(43) }],
  [
    'authenticatorData missing',
    {
      mutate: (json) =>
        void delete (json.response as { authenticatorData?: unknown }).authenticatorData,
    },
  ],
  [
    'authenticatorData short',
    { mutate: (json) => void Object.assign(json.response ?? {}, { authenticatorData: 'AAAA' }) },
  ],
  [
    'signature a number',
    { mutate: (json) => void Object.assign(json.response ?? {}, { signature: 7 }) },
  ],
  [
    'another type of credential',
    { mutate: (json) => void Object.assign(json, { type: 'password' }) },
  ],
];

describe('400 | register/verify, login/verify | verification throws or reports not verified | the passkey could not be verified', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
  });

  it.each(registrations)('register/verify: %s', async (_fault, overrides) => {
    const answer = await browser.signUp('Ann', { alg: ALG.ES256, overrides });
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toMatch(/^the passkey could not be verified: .+; [a-z]/);
    expect(answer.text).not.toMatch(/evil|script|node_modules|LOCALHOST/);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each(assertions)('login/verify: %s', async (_fault, overrides) => {
    await browser.signUp('Ann', { alg: ALG.ES256 });
    browser.cookie = undefined;
    const answer = await browser.signIn({ overrides });
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toMatch(/^the passkey could not be verified: .+; [a-z]/);
    expect(answer.text).not.toMatch(/evil|script|node_modules|LOCALHOST/);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await browser.signIn()).status).toBe(200);
  });

  it('login/verify: signed with another passkey’s key', async () => {
    await browser.signUp('Ann', { alg: ALG.ES256 });
    const signingKey = await KeyPair.generate(ALG.ES256);
    expect((await browser.signIn({ overrides: { signingKey } })).status).toBe(400);
  });

  it('login/verify: a passkey that was made for another site, by an authenticator that does not mind', async () => {
    await browser.signUp();
    const origin = `http://a.localhost:${gatehouse.port}`;
    const elsewhere = new Browser({ port: gatehouse.port, origin }, browser.authenticator);
    const options = { ...(await elsewhere.requestOptions()), rpId: 'localhost' };
    const overrides = { rpId: 'a.localhost' };
    const response = await browser.authenticator.get(options, origin, { overrides });
    const answer = await elsewhere.post('/svc/auth/login/verify', response);
    expect([answer.status, answer.json()['error']]).toEqual([
      400,
      'the passkey could not be verified: it answered for another site; reload this page and try again',
    ]);
  });

  it('login/verify: a synced passkey that stopped being eligible for backup', async () => {
    browser = new Browser(gatehouse, SoftAuthenticator.synced());
    await browser.signUp();
    const answer = await browser.signIn({ overrides: { be: false, bs: false } });
    expect(answer.json()['error']).toContain('backup');
  });

  it('login/verify: a count that does not rise leaves the stored one as it was', async () => {
    await browser.signUp();
    for (let use = 0; use < 3; use += 1) await browser.signIn();
    expect((await browser.signIn({ overrides: { counter: 3 } })).status).toBe(400);
    expect((await browser.signIn({ overrides: { counter: 0 } })).status).toBe(400);
    expect((await browser.signIn({ overrides: { counter: 4_294_967_295 } })).status).toBe(200);
  });

  it('unknown extension outputs are ignored', async () => {
    const authExtensions = new Map([['unheard-of', true]]);
    expect((await browser.signUp('Ann', { overrides: { authExtensions } })).status).toBe(200);
  });

  describe('400 | register/verify, login/verify | credential id fails the id format | passkey id is malformed', () => {
    it.each([
      [11, 15, 400],
      [12, 16, 200],
      [1024, 1366, 200],
      [1025, 1367, 400],
    ])('register/verify: %i bytes are %i characters: %i', async (bytes, characters, status) => {
      const overrides = { credentialIdLength: bytes };
      const answer = await browser.signUp('Ann', { overrides });
      expect(browser.authenticator.list('localhost').at(-1)?.id).toHaveLength(characters);
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.json()['error']).toContain('malformed');
      else expect((await browser.signIn()).status).toBe(200);
    });

    it.each(['A'.repeat(15), 'A'.repeat(1367), `${'A'.repeat(20)}+`, 7, undefined])(
      'login/verify: %p',
      async (id) => {
        await browser.signUp();
        const response = await browser.assert();
        await browser.agent
          .post('/svc/auth/login/verify')
          .send({ ...response, id })
          .expect(400, { error: 'the passkey id is malformed; try again, or use another passkey' });
      },
    );
  });
});
