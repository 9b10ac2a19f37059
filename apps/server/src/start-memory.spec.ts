import { eventually } from '../../../test/support/eventually.js';
import { giveBackStartMemory } from './start-memory.js';

describe('memory of the start', () => {
  it('is given back', async () => {
    const ofStart = new WeakRef(new ArrayBuffer(1000));
    giveBackStartMemory(0);
    await eventually(() => expect(ofStart.deref()).toBeUndefined());
  });
});
