import { generateKeyPairSync } from 'node:crypto';
import {
  generateSigningKey,
  parseSigningKeys,
  publicJwk,
  publishedAt,
  signerAt,
  type SigningKey,
  signingKeysText,
  withNewKey,
} from './signing-key.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000;

interface Entry {
  readonly [member: string]: unknown;
}

const jwkOf = (type: 'ec' | 'ed25519', curve = 'P-256'): Entry => ({
  ...(type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: curve })
    : generateKeyPairSync('ed25519')
  ).privateKey.export({ format: 'jwk' }),
});
const EC: Entry = { ...jwkOf('ec'), kid: 'one', alg: 'ES256', signsFrom: NOW };
const ED: Entry = { ...jwkOf('ed25519'), kid: 'two', alg: 'EdDSA', signsFrom: NOW };

const parse = (...keys: unknown[]) => parseSigningKeys(JSON.stringify({ keys }));
const keysOf = (...entries: unknown[]): readonly SigningKey[] => {
  const { keys, fault } = parse(...entries);
  if (fault !== undefined) throw new Error(fault);
  return keys;
};
const kidsOf = (keys: readonly SigningKey[]) => keys.map(({ kid }) => kid);

const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

describe('a file of signing keys', () => {
  it('has the keys by the time from which they sign', () => {
    const first = { ...ED, signsFrom: NOW - DAY, retireAfter: NOW + DAY };
    const [one, other] = keysOf(EC, first);
    expect(one).toMatchObject({ kid: 'two', alg: 'EdDSA', retireAfter: NOW + DAY });
    expect(other).toMatchObject({ kid: 'one', alg: 'ES256', signsFrom: NOW });
    expect(other).not.toHaveProperty('retireAfter');
  });

  const { d: _private, ...withoutPrivate } = EC;
  it.each([
    ['no object', [null]],
    ['no kid', [{ ...EC, kid: undefined }]],
    ['a kid that is no text', [{ ...EC, kid: 7 }]],
    ['a kid with other characters', [{ ...EC, kid: 'a b' }]],
    ['a kid that is too long', [{ ...EC, kid: 'x'.repeat(65) }]],
    ['no algorithm', [{ ...EC, alg: undefined }]],
    ['no algorithm at all', [{ ...EC, alg: 'none' }]],
    ['a symmetric key', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one', alg: 'HS256', signsFrom: NOW }]],
    ['a symmetric key by another name', [{ ...EC, kty: 'oct', k: 'c2VjcmV0' }]],
    ['the algorithm of another curve', [{ ...jwkOf('ec', 'P-384'), ...others(EC) }]],
    ['the algorithm of another kind', [{ ...EC, alg: 'EdDSA' }]],
    ['a public key', [withoutPrivate]],
    ['the public part of another key', [{ ...jwkOf('ec'), ...others(EC), d: EC['d'] }]],
    ['no time to sign', [{ ...EC, signsFrom: undefined }]],
    ['a time in words', [{ ...EC, signsFrom: '2027-01-15' }]],
    ['a time that is no whole number', [{ ...EC, signsFrom: NOW + 0.5 }]],
    ['a time before 1970', [{ ...EC, signsFrom: -1 }]],
    ['the time 0', [{ ...EC, signsFrom: 0 }]],
    ['a retirement in words', [{ ...EC, retireAfter: 'never' }]],
  ])('is refused with %s, as its second key', (_what, [entry]) => {
    expect(parse({ ...ED, retireAfter: NOW + DAY }, entry)).toEqual({
      fault: expect.stringMatching(/^whose key 2 does not have a kid, alg/),
    });
  });

  it('is refused with a member that is nested deep', () => {
    const text = JSON.stringify({ keys: [{ ...EC, x: 'deep' }] });
    expect(parseSigningKeys(text.replace('"deep"', DEEP))).toEqual({
      fault: expect.stringMatching(/^whose key 1 does not have a kid, alg/),
    });
  });

  it.each([
    ['text', '['],
    ['a list that is nested deep', DEEP],
    ['an object of one', `{"keys":{"keys":${DEEP}}}`],
    ['a list', '[]'],
    ['an object', '{}'],
    ['keys that are no list', '{"keys":{}}'],
  ])('is refused as %s', (_what, text) => {
    expect(parseSigningKeys(text)).toEqual({ fault: 'that is not a JSON Web Key Set' });
  });

  it('has 1 to 20 keys', () => {
    const many = (count: number) =>
      parse(...Array.from({ length: count }, (_, at) => ({ ...EC, kid: `key-${at}` })));
    expect(many(20).keys).toHaveLength(20);
    for (const count of [0, 21]) {
      expect(many(count)).toEqual({ fault: 'that does not have 1 to 20 keys' });
    }
  });

  it('names each key once', () => {
    expect(parse(EC, { ...ED, kid: 'one' })).toEqual({ fault: 'that has one kid twice' });
  });

  it.each([
    ['the last key retires', [{ ...EC, retireAfter: NOW + DAY }]],
    ['a key retires as the next one begins', [{ ...EC, retireAfter: NOW + HOUR }, later(ED, HOUR)]],
  ])('leaves no time without a key: %s', (_what, entries) => {
    expect(parse(...entries)).toEqual({
      fault: 'one of whose keys retires before the next one signs',
    });
  });

  it('may keep a key for a second after the next one begins, or for ever', () => {
    expect(parse({ ...EC, retireAfter: NOW + HOUR + 1 }, later(ED, HOUR)).fault).toBeUndefined();
    expect(parse(EC, later(ED, HOUR)).fault).toBeUndefined();
  });

  it('is written as it is read', () => {
    const keys = keysOf({ ...EC, retireAfter: NOW + DAY }, later(ED, HOUR));
    const { keys: again = [] } = parseSigningKeys(signingKeysText(keys));
    const plain = ({ key, ...rest }: SigningKey) => [rest, key.export({ format: 'jwk' })];
    expect(again.map(plain)).toEqual(keys.map(plain));
  });
});

describe('the key that signs', () => {
  let keys: readonly SigningKey[];
  beforeEach(() => {
    keys = keysOf({ ...EC, retireAfter: NOW + 2 * DAY }, later(ED, DAY));
  });

  it.each([
    ['before all of them the first', NOW - 1, 'one'],
    ['the first from its time on', NOW, 'one'],
    ['the first until the next one', NOW + DAY - 1, 'one'],
    ['the next one from its time on', NOW + DAY, 'two'],
    ['the last one for ever', NOW + 1000 * DAY, 'two'],
  ])('is %s', (_what, at, kid) => {
    expect(signerAt(keys, at)?.kid).toBe(kid);
  });

  it('is none where there are none', () => {
    expect(signerAt([], NOW)).toBeUndefined();
  });
});

describe('the published keys', () => {
  let keys: readonly SigningKey[];
  beforeEach(() => {
    keys = keysOf({ ...EC, retireAfter: NOW + 2 * DAY }, later(ED, DAY));
  });

  it.each([
    ['a key that does not sign yet', NOW, ['one', 'two']],
    ['a key until it retires', NOW + 2 * DAY - 1, ['one', 'two']],
    ['no key that has retired', NOW + 2 * DAY, ['two']],
  ])('have %s', (_what, at, kids) => {
    expect(kidsOf(publishedAt(keys, at))).toEqual(kids);
  });

  it('have public members only', () => {
    expect(keys.map((key) => Object.keys(publicJwk(key)).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ]);
    for (const key of keys) expect(publicJwk(key)).toMatchObject({ use: 'sig', kid: key.kid });
  });
});

describe('a rotation', () => {
  const fresh = async () => generateSigningKey('ES256');

  it('makes a first key that signs at once', async () => {
    const [key, ...further] = withNewKey([], await fresh(), NOW);
    expect(key).toMatchObject({ alg: 'ES256', signsFrom: NOW });
    expect(key).not.toHaveProperty('retireAfter');
    expect(further).toEqual([]);
  });

  it('adds a key that signs in an hour; each other key retires a day after its last token expired', async () => {
    const before = withNewKey([], await generateSigningKey('EdDSA'), NOW - DAY);
    const after = withNewKey(before, await fresh(), NOW);
    expect(after.map(({ alg, signsFrom, retireAfter }) => [alg, signsFrom, retireAfter])).toEqual([
      ['EdDSA', NOW - DAY, NOW + HOUR + 600 + DAY],
      ['ES256', NOW + HOUR, undefined],
    ]);
    expect(parseSigningKeys(signingKeysText(after)).fault).toBeUndefined();
  });

  it('leaves a retirement as it is, and drops a key that has retired', async () => {
    const first = withNewKey([], await fresh(), NOW);
    const second = withNewKey(first, await fresh(), NOW + HOUR);
    const third = withNewKey(second, await fresh(), NOW + 2 * HOUR);
    expect(third.map(({ retireAfter }) => retireAfter)).toEqual([
      second[0]?.retireAfter,
      NOW + 3 * HOUR + 600 + DAY,
      undefined,
    ]);
    const fourth = withNewKey(third, await fresh(), second[0]?.retireAfter ?? 0);
    expect(kidsOf(fourth).slice(0, -1)).toEqual(kidsOf(third).slice(1));
  });

  it('lets the new key sign after one that begins later than in an hour', async () => {
    const keys = keysOf({ ...EC, signsFrom: NOW + DAY });
    const [, added] = withNewKey(keys, await fresh(), NOW);
    expect(added?.signsFrom).toBe(NOW + DAY + 1);
  });

  it('gives each key an id of its own', async () => {
    const [first, second] = await Promise.all([fresh(), fresh()]);
    expect(first.kid).toMatch(/^[\w-]{43}$/);
    expect(first.kid).not.toBe(second.kid);
  });
});

function others({ kid, alg, signsFrom }: Entry) {
  return { kid, alg, signsFrom };
}

function later(entry: Entry, seconds: number) {
  return { ...entry, signsFrom: NOW + seconds };
}
