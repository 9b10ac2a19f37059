import { assert, jsonValue, property } from 'fast-check';
import { jsonDepth } from './json-depth.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe('the depth of JSON', () => {
  it('is that of the value', () => {
    assert(
      property(jsonValue({ maxDepth: 8 }), (value) => {
        expect(jsonDepth(JSON.stringify(value))).toBe(depthOf(value));
      }),
    );
  });

  it.each([
    ['"[[{\\"["', 0],
    ['["\\\\", ["]"]]', 2],
    ['{"[": "{"}', 1],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 100_000],
  ])('counts no brackets in strings, and has no limit', (json, depth) => {
    expect(jsonDepth(json)).toBe(depth);
  });
});
