import { readFileSync } from 'node:fs';
import { Environment } from './environment.js';

const page = readFileSync(
  new URL('../../../../docs/reference/configuration.md', import.meta.url),
  'utf8',
);

const ENTRY = /^- `([A-Z_]+)` \((?:default `([^`]*)`|unset); takes .+\): ./gm;

describe('docs/reference/configuration.md', () => {
  it('has every variable with its default, and no other', () => {
    const listed = Array.from(page.matchAll(ENTRY), ([, name, value]) => [name, value]);
    const defaults = Object.entries(new Environment()).map(([name, value]: [string, unknown]) => [
      name,
      value === undefined ? undefined : String(value),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(defaults));
    expect(listed).toHaveLength(defaults.length);
  });
});
