import * as fc from 'fast-check';

/** CBOR bytes in compact form: `head` repeated, then `tail`, both in hexadecimal. */
export interface RawCbor {
  readonly head: string;
  readonly times: number;
  readonly tail: string;
}

export const bytesOf = ({ head, times, tail }: RawCbor) =>
  Buffer.from(head.repeat(times) + tail, 'hex');

/** Items that open a nested item: arrays, maps and tags, of definite and indefinite length. */
const OPENING = ['81', '9f', 'a100', 'a160', 'bf60', 'c1', 'd818', 'd9ffff', '5f', '7f'];

/** Strings, arrays and maps that declare far more content than follows. */
const CLAIMING = ['5a', '7a', '9a', 'ba'].flatMap((major) => [
  `${major}7fffffff`,
  `${major}ffffffff`,
]);
const CLAIMING_MORE = ['5b', '7b', '9b', 'bb'].flatMap((major) =>
  ['00000000ffffffff', '001fffffffffffff', '7fffffffffffffff', 'ffffffffffffffff'].map(
    (length) => major + length,
  ),
);

/** Reserved heads, a lone break, NaN and infinite floats, an undefined, a simple value. */
const ODD = [
  '1c',
  'fc',
  'ff',
  'f97e00',
  'f97c00',
  'fbfff0000000000000',
  'f7',
  'f820',
  'a2600060f6',
];

/** Nesting bombs, false lengths, oddities and noise. */
export const rawCbor: fc.Arbitrary<RawCbor> = fc.oneof(
  fc.record({
    head: fc.constantFrom(...OPENING),
    times: fc.constantFrom(1, 20, 600, 2500),
    tail: fc.constantFrom('', '00', 'ff'),
  }),
  fc.record({
    head: fc.constantFrom(...CLAIMING, ...CLAIMING_MORE),
    times: fc.constantFrom(1, 2, 100),
    tail: fc.constantFrom('', '00'),
  }),
  fc.record({
    head: fc.constantFrom(...ODD),
    times: fc.constantFrom(1, 3),
    tail: fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  }),
);
