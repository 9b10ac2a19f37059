import * as fc from 'fast-check';
import { MARKER } from './fuzz-json.js';

type Headers = Record<string, string | string[]>;

const printable = fc.string({ maxLength: 60 });
const token = fc.constantFrom('x'.repeat(43), '_'.repeat(43), 'x'.repeat(42), '', '"', 'a=b');

const cookie: fc.Arbitrary<string | string[]> = fc.oneof(
  printable.map((value) => MARKER + value),
  token.map((value) => `session=${value}`),
  fc.tuple(token, token).map(([one, two]) => `session=${one}; session=${two}`),
  token.map((value) => [`__Host-session=${value}`, `session=${value}`]),
  token.map((value) => `a=${'x'.repeat(4096)}; session=${value}`),
  fc.constant(';='.repeat(2000)),
);

const contentType = fc.oneof(
  fc.constantFrom('', ';', 'application/json; charset=utf-32', 'multipart/form-data', 'no/such; ='),
  printable,
);

const other = fc.constantFrom<Headers>(
  ...['gzip', 'br', 'deflate, gzip', MARKER].map((value) => ({ 'content-encoding': value })),
  { 'x-http-method-override': 'DELETE' },
  { authorization: `Bearer ${MARKER}` },
  { accept: 'text/html', 'accept-language': '*;q=' },
  { referer: '::::', 'sec-fetch-site': MARKER },
  { origin: MARKER },
  { 'x-forwarded-for': `${MARKER}, 1.2.3.4`, 'x-forwarded-proto': 'https' },
  { range: 'bytes=0-', 'if-none-match': '*', te: 'trailers' },
);

/** Headers in addition to Host, usually none. */
export const headers: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: cookie.map((value) => ({ cookie: value })) },
  { weight: 1, arbitrary: contentType.map((value) => ({ 'content-type': value })) },
  { weight: 1, arbitrary: other },
);
