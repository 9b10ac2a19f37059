import { Logger } from '@nestjs/common';
import { CompactSign, SignJWT } from 'jose';
import {
  generateSigningKey,
  parseSigningKeys,
  type SigningKey,
  type SigningKeysFound,
  signingKeysText,
} from './signing-key.js';
import { SigningKeysService } from './signing-keys.service.js';

const EXPECTED = { issuer: 'https://gate.example', audience: 'https://notes.example/mcp' };

const made = async (alg: 'ES256' | 'EdDSA' = 'ES256'): Promise<SigningKey> => ({
  ...(await generateSigningKey(alg)),
  signsFrom: 1,
});

describe('the signing keys of a replica', () => {
  let found: SigningKeysFound;
  let keys: SigningKeysService;
  let errors: jest.SpiedFunction<Logger['error']>;

  const nextRound = () => keys.read();
  const kids = () => keys.published().map(({ kid }) => kid);

  beforeEach(async () => {
    errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    found = { keys: [await made()] };
    keys = new SigningKeysService({ readSigningKeys: () => found });
  });
  afterEach(() => jest.restoreAllMocks());

  it('are none where none are configured', () => {
    const none = new SigningKeysService({});
    none.onModuleInit();
    expect([none.signer(), none.published()]).toEqual([undefined, []]);
  });

  it('fail the start where they cannot be read', () => {
    found = { fault: 'SIGNING_KEYS_FILE names a file that is empty' };
    expect(() => keys.onModuleInit()).toThrow('SIGNING_KEYS_FILE names a file that is empty');
  });

  it('are read again every minute; a fault is logged once and changes nothing', async () => {
    keys.onModuleInit();
    const [first] = kids();
    found = { fault: 'it is broken' };
    nextRound();
    nextRound();
    expect(kids()).toEqual([first]);
    expect(errors.mock.calls).toEqual([['it is broken; the keys that were read before stay']]);
    found = { fault: 'it is broken in another way' };
    nextRound();
    expect(errors).toHaveBeenCalledTimes(2);
    const other = await made();
    found = { keys: [other] };
    nextRound();
    expect(kids()).toEqual([other.kid]);
    found = { fault: 'it is broken in another way' };
    nextRound();
    expect(errors).toHaveBeenCalledTimes(3);
  });

  describe('verify', () => {
    const claims = { iss: EXPECTED.issuer, aud: EXPECTED.audience, sub: 'ann' };
    const header = ({ kid, alg }: SigningKey) => ({ typ: 'at+jwt', kid, alg });
    const sign = (key: SigningKey, changed: object = {}, changedHeader: object = {}) =>
      new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 60, ...changed })
        .setProtectedHeader({ ...header(key), ...changedHeader })
        .sign(key.key);
    const verifies = async (token: string | Promise<string>) =>
      keys.verifies(await token, EXPECTED);

    it.each(['ES256', 'EdDSA'] as const)('what a key of ours signed by %s', async (alg) => {
      const key = await made(alg);
      // As they are read from a file.
      found = parseSigningKeys(signingKeysText([key]));
      keys.onModuleInit();
      expect(await verifies(sign(key))).toBe(true);
      expect(await verifies(sign(key, {}, { typ: 'application/at+jwt' }))).toBe(true);
    });

    it.each<[string, object, object]>([
      ['another issuer', { iss: 'https://evil.example' }, {}],
      ['no issuer', { iss: undefined }, {}],
      ['another audience', { aud: 'https://other.example/mcp' }, {}],
      ['no audience', { aud: undefined }, {}],
      ['no end', { exp: undefined }, {}],
      ['an end that is over', { exp: 1 }, {}],
      ['a beginning to come', { nbf: 9_999_999_999 }, {}],
      ['another type', {}, { typ: 'JWT' }],
      ['no type', {}, { typ: undefined }],
      ['an unknown key', {}, { kid: 'unknown' }],
      ['no key', {}, { kid: undefined }],
    ])('nothing with %s', async (_what, changed, changedHeader) => {
      const key = await made();
      found = { keys: [key] };
      keys.onModuleInit();
      expect(await verifies(sign(key, changed, changedHeader))).toBe(false);
    });

    it('nothing that another key signed, under this or its own name', async () => {
      const [key, other] = [await made(), await made()];
      found = { keys: [key] };
      keys.onModuleInit();
      expect(await verifies(sign(other))).toBe(false);
      expect(await verifies(sign(other, {}, { kid: key.kid }))).toBe(false);
    });

    it('nothing by an algorithm that is not that of the key', async () => {
      const [key, ed] = [await made(), await made('EdDSA')];
      found = { keys: [key] };
      keys.onModuleInit();
      expect(await verifies(sign(ed, {}, { kid: key.kid }))).toBe(false);
    });

    it.each(['', 'a.b.c', 'e30.e30.', 'eyJhbGciOiJub25lIn0.e30.', '..', '\0', 'x'.repeat(9000)])(
      'nothing that is no JWT: %#',
      async (text) => {
        keys.onModuleInit();
        expect(await verifies(text)).toBe(false);
      },
    );

    it('nothing whose payload is no object', async () => {
      const key = await made();
      found = { keys: [key] };
      keys.onModuleInit();
      const text = await new CompactSign(new TextEncoder().encode('"ann"'))
        .setProtectedHeader(header(key))
        .sign(key.key);
      expect(await verifies(text)).toBe(false);
    });
  });
});
