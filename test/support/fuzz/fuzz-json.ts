import * as fc from 'fast-check';

/** Part of nearly every string that is sent, so that an answer that echoes one is detected. */
export const MARKER = 'zqEchozq';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  '\ufeff',
  '__proto__',
  'null',
  '../..',
  '%00',
];

/** Short strings of all kinds. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 24 }).map((s) => MARKER + s) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((s) => s + MARKER) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(40, 41, 1366, 1367, 4096, 5000)
      .map((n) => MARKER.repeat(n).slice(0, n)),
  },
);

const MEMBERS = [
  'displayName',
  'id',
  'type',
  'response',
  'toString',
  'constructor',
  'length',
  'then',
];

/** Also sent as a `length`: a service that trusts it must not exhaust the test machine's memory. */
const SMALL_ENOUGH = fc.integer({ min: -1_000_000, max: 1_000_000 });

/** Any JSON value, a few levels deep. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.oneof(fc.constant(null), fc.boolean(), SMALL_ENOUGH, fc.constantFrom(-0, 1e308, 5e-324)),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...MEMBERS), text), tie('value'), { maxKeys: 4 }),
  ),
})).value;

const base64url = (value: string) => Buffer.from(value).toString('base64url');
const challenge = fc.constantFrom('c'.repeat(43), '_'.repeat(43), 'c'.repeat(42), MARKER);

const clientData = fc
  .record(
    {
      type: fc.oneof(fc.constantFrom('webauthn.create', 'webauthn.get'), json),
      challenge,
      origin: json,
      crossOrigin: json,
      topOrigin: json,
    },
    { requiredKeys: ['challenge'] },
  )
  .map((data) => base64url(JSON.stringify(data)));

/** Values where encoded bytes are expected. */
const encoded = fc.oneof(text.map(base64url), json);

const response = fc.record(
  {
    clientDataJSON: fc.oneof(
      { weight: 2, arbitrary: clientData },
      { weight: 1, arbitrary: encoded },
    ),
    attestationObject: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded,
    transports: json,
    publicKey: encoded,
    publicKeyAlgorithm: json,
  },
  { requiredKeys: [] },
);

/** An object with the members that the routes read, most of them invalid. */
const plausible = fc.record(
  {
    displayName: json,
    id: encoded,
    rawId: encoded,
    type: fc.oneof(fc.constant('public-key'), json),
    authenticatorAttachment: json,
    clientExtensionResults: json,
    response: fc.oneof({ weight: 3, arbitrary: response }, { weight: 1, arbitrary: json }),
  },
  { requiredKeys: [] },
);

const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"response":', '}]']),
    fc.constantFrom(500, 1100),
  )
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const prototypes = json.map(
  (value) => `{"__proto__":${JSON.stringify(value)},"response":{"__proto__":null}}`,
);

/** Request bodies: JSON of every kind, and text that is not JSON. */
export const body: fc.Arbitrary<string | Buffer> = fc.oneof(
  { weight: 8, arbitrary: plausible.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(plausible, fc.nat(80))
      .map(([value, length]) => JSON.stringify(value).slice(0, length)),
  },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: nested.map((value) => `{"displayName":${value},"response":${value}}`) },
  { weight: 1, arbitrary: prototypes },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(16_384, 16_385, 70_000)
      .map((size) => MARKER.repeat(size / 8 + 1).slice(0, size)),
  },
);
