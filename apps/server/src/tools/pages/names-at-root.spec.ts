import type { JsonObject } from '#libs/platform';
import { namesAtRoot } from './names-at-root.js';

describe('namesAtRoot', () => {
  const tab = { properties: { tab: { type: 'string' } } };

  it.each<[string, object]>([
    ['as a property', tab],
    ['where a branch has it', { allOf: [{}, { anyOf: [{}, { not: { oneOf: [tab] } }] }] }],
    ['where a condition has it', JSON.parse('{"if":{},"then":{"required":["tab"]}}') as object],
    [
      'where a reference leads',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#b' }, b: { $anchor: 'b', ...tab } } },
    ],
    ['where it is required', { required: ['tab'] }],
    ['where others depend on it', { dependentSchemas: { tab: {} } }],
    ['where it depends on others', { dependentSchemas: { a: tab } }],
  ])('has a name %s', (_where, schema) => {
    expect(namesAtRoot(schema as JsonObject).has('tab')).toBe(true);
  });

  it.each<[string, object]>([
    ['that a member of it has', { properties: { a: tab } }],
    ['of its elements', { items: tab }],
    ['that nothing leads to', { $defs: { a: tab } }],
    ['that is a value', { enum: ['tab'], default: tab }],
    ['in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#' } } }],
  ])('has no name %s', (_where, schema) => {
    expect(namesAtRoot(schema as JsonObject).has('tab')).toBe(false);
  });
});
