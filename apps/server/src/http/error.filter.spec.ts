import { type ArgumentsHost, BadRequestException } from '@nestjs/common';
import { ErrorFilter } from './error.filter.js';

describe('ErrorFilter', () => {
  it('cuts an answer that was begun: there is no other way to say that it failed', () => {
    let cuts = 0;
    const response = { headersSent: true, destroy: () => (cuts += 1) };
    const http = { getRequest: () => ({ path: '/acme' }), getResponse: () => response };
    const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
    expect(() => new ErrorFilter().catch(new BadRequestException(), host)).not.toThrow();
    expect(cuts).toBe(1);
  });
});
