import { describeUserRunLimit } from './user-run-limit.contract.js';
import { InProcessUserRunLimit } from './user-run-limit.js';

describe('InProcessUserRunLimit', () => {
  describeUserRunLimit(() => {
    const limit = new InProcessUserRunLimit();
    return [limit, limit];
  });
});
