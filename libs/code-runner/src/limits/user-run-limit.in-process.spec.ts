import { itIsRunSlots } from './user-run-limit.contract.js';
import { InProcessRunSlots } from './user-run-limit.in-process.js';

describe('InProcessRunSlots', () => {
  itIsRunSlots(() => {
    const slots = new InProcessRunSlots();
    return [slots, slots];
  });
});
