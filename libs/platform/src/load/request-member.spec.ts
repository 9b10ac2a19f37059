import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../../../test/support/heap.js';
import { RequestMember } from './request-member.js';

const REQUESTS = 50_000;
const NUMBERS_EACH = 125;
const BYTES_EACH = 1_000;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

describe('a member of a request', () => {
  it('is there once it was said, and of no other request', () => {
    const users = new RequestMember<string>();
    const apps = new RequestMember<string>();
    const [one, other] = [{}, {}];
    users.set(one, 'ada');
    expect([users.get(one), apps.get(one), users.get(other)]).toEqual([
      'ada',
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(one)).toBe('{}');
  });

  it('goes with its request, which it may know, before either is old', async () => {
    const checks = new RequestMember<() => unknown>();
    await collectGarbage();
    const before = oldBytes();
    for (let n = 0; n < REQUESTS; n += 1) {
      const request = { data: Array.from({ length: NUMBERS_EACH }, () => n) };
      checks.set(request, () => request);
    }
    expect(oldBytes() - before).toBeLessThan((REQUESTS * BYTES_EACH) / 10);
  });
});
