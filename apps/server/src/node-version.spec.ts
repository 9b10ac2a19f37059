import { readFileSync } from 'node:fs';
import { OLDEST_NODE, requireNode } from './node-version.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const importsOf = (path: string) =>
  Array.from(read(path).matchAll(/^import .*from '([^']+)'/gm), ([, from]) => from);

describe('the Node that the service runs on', () => {
  afterEach(() => jest.restoreAllMocks());

  /** The text on stderr, and the exit code. */
  const endOn = (version: string) => {
    const exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    requireNode(version);
    return [write.mock.calls.map(([line]) => String(line)), exit.mock.calls.flat()];
  };

  it.each(['v18.20.4', 'v20.20.2', 'v22.22.0', 'v23.11.1'])('%s is too old', (version) => {
    const line = expect.stringMatching(
      `^Gatehouse needs Node 24 or later, and this is ${version}.*\n$`,
    );
    expect(endOn(version)).toEqual([[line], [1]]);
  });

  it.each(['v24.0.0', 'v26.1.0', 'v100.0.0'])('%s will do', (version) => {
    expect(endOn(version)).toEqual([[], []]);
  });

  it('is what package.json says', () => {
    const { engines } = JSON.parse(read('../../../package.json')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });

  it('is not the one that npm warns about while it installs', () => {
    expect(read('../../../.npmrc')).toMatch(/^loglevel=error$/m);
  });

  it('is looked at before anything else is loaded', () => {
    expect(importsOf('main.ts')).toEqual(['./node-version.js']);
    expect(importsOf('node-version.ts')).toEqual([]);
    for (const script of ['gatehouse', 'demo']) {
      expect(importsOf(`../../../bin/${script}.mjs`)).toEqual(['./require-node.mjs']);
    }
    expect(importsOf('../../../bin/require-node.mjs')).toEqual(['node:fs']);
  });
});
