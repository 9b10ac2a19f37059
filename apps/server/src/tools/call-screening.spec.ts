import type { ScreeningService } from '#libs/code-runner';
import type { McpCaller } from '#libs/mcp';
import { ArgumentScreening } from './call-screening.js';

const caller = (grantId: string) => ({ user: { id: 'ann' }, app: 'Robot', grantId }) as McpCaller;

describe('screening of calls that people are asked about', () => {
  it('keeps the screener from a connection that asks again and again, and no other', async () => {
    let asked = 0;
    const allows = async () => (asked += 1) > 0;
    const screening = new ArgumentScreening({ allows } as unknown as ScreeningService);
    const ask = (id: string, n: number) => screening.expectAllowed({ n }, caller(id));
    const asks = Array.from({ length: 100 }, (_, n) => ask('one', n));
    const answers = await Promise.allSettled(asks);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(30);
    expect(asked).toBe(100 - refused.length);
    expect(refused[0]).toMatchObject({
      reason: { message: expect.stringContaining('nothing was asked') },
    });
    await ask('other', 1);
  });
});
