import type { Request, Response } from 'express';
import type { AccountsOptions } from '../accounts.module-definition.js';
import { currentVisitor, CurrentVisitorMiddleware } from './visitor.middleware.js';

const settled = () => new Promise(setImmediate);

describe('the visitor whose request is being handled', () => {
  const middleware = new CurrentVisitorMiddleware({ rateLimit: { max: 9 } } as AccountsOptions);
  const handle = (ip: string | undefined, next: () => void) =>
    middleware.use(
      { ips: ip === undefined ? [] : [ip], headers: {} } as unknown as Request,
      {} as Response,
      next,
    );

  it('is known to all that the request starts, and to no other', async () => {
    const seen: (string | undefined)[] = [];
    const work = async () => {
      seen.push(currentVisitor()?.key);
      await settled();
      seen.push(currentVisitor()?.key);
    };
    const works: Promise<void>[] = [];
    for (const ip of ['192.0.2.1', '2001:db8::1', undefined]) {
      handle(ip, () => works.push(work()));
    }
    await Promise.all(works);
    const visitors = ['192.0.2.1', '2001:db8:0:0::/64', 'local'];
    expect(seen).toEqual([...visitors, ...visitors]);
    expect(currentVisitor()).toBeUndefined();
  });
});
