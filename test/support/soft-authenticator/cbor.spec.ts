import { encodeCbor, type CborValue } from './index.js';

describe('CBOR', () => {
  it.each<[CborValue, string]>([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [255, '18ff'],
    [256, '190100'],
    [65_535, '19ffff'],
    [65_536, '1a00010000'],
    [2 ** 32 - 1, '1affffffff'],
    [2 ** 32, '1b0000000100000000'],
    [-1, '20'],
    [-7, '26'],
    [-257, '390100'],
    [Uint8Array.of(1, 2), '420102'],
    ['\u00fc', '62c3bc'],
    [[1, [2, 'a']], '820182026161'],
    [
      new Map<number | string, CborValue>([
        [1, -7],
        ['a', [true]],
      ]),
      'a20126616181f5',
    ],
    [false, 'f4'],
    [null, 'f6'],
  ])('of %p is %s', (value, hex) => {
    expect(Buffer.from(encodeCbor(value)).toString('hex')).toBe(hex);
  });

  it.each([0.5, Number.NaN, 2 ** 53])('has no %p', (value) => {
    expect(() => encodeCbor(value)).toThrow(RangeError);
  });
});
