import { spawnSync } from 'node:child_process';
import { eventually } from '../../../test/support/eventually.js';
import { giveBackStartMemory } from './start-memory.js';

const ALONE = `
  import { giveBackStartMemory } from '${new URL('start-memory.ts', import.meta.url).href}';
  giveBackStartMemory(0);
  setTimeout(() => console.log('goes on'), 100);
`;

describe('memory of the start', () => {
  it('is given back', async () => {
    const ofStart = new WeakRef(new ArrayBuffer(1000));
    giveBackStartMemory(0);
    await eventually(() => expect(ofStart.deref()).toBeUndefined());
  });

  it('is kept by a process that may not look into itself, which goes on', () => {
    const restricted = [
      '--permission',
      '--allow-fs-read=*',
      '--input-type=module',
      '--eval',
      ALONE,
    ];
    const { stdout, stderr } = spawnSync(process.execPath, restricted, { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'goes on\n', stderr: '' });
  });
});
