// Whether the time of a refused sign-in tells that a passkey is known: unknown credential ids against a known one with
// a wrong signature, in turn. Printed, never judged: docs/about/security.md says what is promised.
// npm run build && node bench/enumeration.mjs
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { percentile, Service } from './service.mjs';
import { SqliteFile } from './sqlite-file.mjs';

const PORT = 3789;
const ORIGIN = `http://localhost:${PORT}`;
const TRIES = 2_000;
const WARM_UP = 200;
const USER_PRESENT_AND_VERIFIED = 5;
const KNOWN = randomBytes(16).toString('base64url');

const file = new SqliteFile();
const service = await new Service(PORT, { DATABASE_URL: file.url }).ready();

/** The key as CBOR of an ES256 COSE key (RFC 9053 §7.1). */
function coseKey() {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const coordinate = (label, value) => [
    Buffer.from([label, 0x58, 0x20]),
    Buffer.from(value, 'base64url'),
  ];
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, ...coordinate(0x21, x), ...coordinate(0x22, y)]);
}

const now = Date.now();
await file.insert({
  users: [['ann', 'Ann', now]],
  credentials: [
    [KNOWN, 'ann', 'localhost', coseKey().toString('base64url'), 0, '["internal"]', 0, now],
  ],
});

async function challenge() {
  const { body } = await service.pool.request({
    method: 'POST',
    path: '/svc/auth/login/options',
    headers: { host: service.host },
    body: '{}',
  });
  return (await body.json()).challenge;
}

/** A response that is well formed throughout, with an invalid signature. */
async function response(id) {
  const encode = (value) => Buffer.from(value).toString('base64url');
  const data = { type: 'webauthn.get', challenge: await challenge(), origin: ORIGIN };
  const rpIdHash = createHash('sha256').update('localhost').digest();
  const flagsAndCounter = Buffer.from([USER_PRESENT_AND_VERIFIED, 0, 0, 0, 0]);
  const number = Buffer.concat([Buffer.from([0x02, 0x20, 0x11]), randomBytes(31)]);
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: encode(JSON.stringify(data)),
      authenticatorData: encode(Buffer.concat([rpIdHash, flagsAndCounter])),
      signature: encode(Buffer.concat([Buffer.from([0x30, 0x44]), number, number])),
      userHandle: encode('ann'),
    },
  });
}

async function timeOf(id) {
  const body = await response(id);
  const call = { method: 'POST', path: '/svc/auth/login/verify', body };
  const startedAt = performance.now();
  const answer = await service.pool.request({ ...call, headers: { host: service.host } });
  const text = await answer.body.text();
  return { took: performance.now() - startedAt, told: `${answer.statusCode} ${text}` };
}

const kinds = {
  known: { id: () => KNOWN, times: [], told: new Set() },
  unknown: { id: () => randomBytes(16).toString('base64url'), times: [], told: new Set() },
};
for (let n = -WARM_UP; n < TRIES; n += 1) {
  for (const { id, times, told } of Object.values(kinds)) {
    const answer = await timeOf(id());
    if (n >= 0) times.push(answer.took);
    told.add(answer.told);
  }
}
for (const [name, { times, told }] of Object.entries(kinds)) {
  const [p25, p50, p75] = [0.25, 0.5, 0.75].map((share) => percentile(times, share).toFixed(3));
  console.log(`${name.padEnd(8)} median ${p50} ms, middle half ${p25} to ${p75} ms: ${[...told]}`);
}
const [known, unknown] = [kinds.known, kinds.unknown].map(({ times }) => percentile(times, 0.5));
console.log(
  `a known one takes ${((known - unknown) * 1_000).toFixed(0)} us more, ${((known / unknown - 1) * 100).toFixed(0)} %`,
);
await service.stop();
file.remove();
