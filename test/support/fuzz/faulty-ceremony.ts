import * as fc from 'fast-check';
import { ALG, type CreateOverrides, type GetOverrides } from '../soft-authenticator/index.js';
import { type Mutation, mutations } from './mutation.js';
import { bytesOf, rawCbor } from './raw-cbor.js';
import { text } from './fuzz-json.js';

const OUTER = [
  'id',
  'rawId',
  'type',
  'authenticatorAttachment',
  'clientExtensionResults',
  'response',
];

const bytes = rawCbor.map(bytesOf);
const flags = fc.integer({ min: 0, max: 255 });
const counter = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1);
const fmt = fc.oneof(
  fc.constantFrom('packed', 'tpm', 'apple', 'android-key', 'android-safetynet', 'fido-u2f'),
  text,
);
const attStmt = fc.oneof(
  fc.constantFrom(null, 0, 'x', true, new Map([['x5c', []]]), new Map([['alg', -7]])),
  bytes,
);

const clientData = {
  type: text,
  challenge: fc.constantFrom('c'.repeat(43), ''),
  origin: text,
  topOrigin: text,
  crossOrigin: fc.boolean(),
  clientDataChars: fc.constantFrom(4096, 4098),
  clientDataRaw: text,
};
const authenticatorData = { flags, trailing: bytes, rpId: text };

/** A few of these overrides together, usually none. */
const some = <T extends object>(overrides: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Partial<T>>({}) },
    ...Object.entries<fc.Arbitrary<unknown>>(overrides).map(([name, arbitrary]) => ({
      weight: 1,
      arbitrary: arbitrary.map((value) => ({ [name]: value }) as Partial<T>),
    })),
  );

/** A registration by a faulty authenticator, then modified in transit. */
export interface FaultyRegistration {
  readonly alg: -8 | -7;
  readonly overrides: CreateOverrides;
  readonly faults: Mutation[];
}

export const faultyRegistration: fc.Arbitrary<FaultyRegistration> = fc.record({
  alg: fc.constantFrom(ALG.EdDSA, ALG.ES256),
  overrides: some<CreateOverrides>({
    ...clientData,
    ...authenticatorData,
    counter,
    fmt,
    attStmt,
    cose: bytes,
    alg: fc.constantFrom(-7, -8, -257, -65_535, 0),
    credentialIdLength: fc.constantFrom(0, 11, 12, 1024, 1025),
  }),
  faults: mutations([
    ...OUTER,
    'response.clientDataJSON',
    ...Array<string>(6).fill('response.attestationObject'),
    'response.transports',
  ]),
});

/** A sign-in by a faulty authenticator, then modified in transit. */
export interface FaultyAuthentication {
  readonly overrides: GetOverrides;
  readonly faults: Mutation[];
}

export const faultyAuthentication: fc.Arbitrary<FaultyAuthentication> = fc.record({
  overrides: some<GetOverrides>({
    ...clientData,
    ...authenticatorData,
    userHandle: fc.oneof(fc.constantFrom(null, false as const), text),
    signature: bytes,
    badSignature: fc.constant(true),
  }),
  faults: mutations([
    ...OUTER,
    'response.clientDataJSON',
    'response.authenticatorData',
    'response.authenticatorData',
    'response.signature',
    'response.signature',
    'response.userHandle',
  ]),
});
