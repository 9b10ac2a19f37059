import { itIsRunSlots } from './run-slots.contract.js';
import { InProcessRunSlots } from './run-slots.in-process.js';

describe('InProcessRunSlots', () => {
  itIsRunSlots(() => {
    const slots = new InProcessRunSlots();
    return [slots, slots];
  });
});
