import { assert, jsonValue, property } from 'fast-check';
import { isNestedDeeper } from './nesting.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

function expectDepth(value: unknown, depth: number) {
  expect(isNestedDeeper(value, depth)).toBe(false);
  expect(isNestedDeeper(value, depth - 1)).toBe(depth > 0);
}

describe('the nesting of JSON', () => {
  it('is that of the value', () => {
    assert(property(jsonValue({ maxDepth: 8 }), (value) => expectDepth(value, depthOf(value))));
  });

  it.each([
    ['"[[{\\"["', 0],
    ['["\\\\", ["]"]]', 2],
    ['{"[": "{"}', 1],
    ['{"__proto__": [[]]}', 3],
  ])('counts no brackets in strings: %s', (json, depth) => {
    expectDepth(JSON.parse(json), depth);
  });

  it('is found too deep without going to the bottom', () => {
    const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(isNestedDeeper(JSON.parse(json), 64)).toBe(true);
  });
});
