import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SecurityEventsService } from '#libs/accounts';
import { AdminTokenGuard } from './admin-token.guard.js';
import { AdminTokensService } from './admin-tokens.service.js';

describe('AdminTokenGuard', () => {
  it.each([
    ['no token', []],
    ['an empty header', ['authorization', '']],
    ['an empty token', ['authorization', 'Bearer ']],
    ['two tokens', ['authorization', 'Bearer a', 'authorization', 'Bearer a']],
  ])('401 | %s | though an entry has the hash of the empty text', async (_what, rawHeaders) => {
    const tokens = new AdminTokensService({ token: '', variables: [] });
    const guard = new AdminTokenGuard(tokens, new SecurityEventsService(), new Reflector());
    const response = { locals: {} };
    const http = {
      getRequest: () => ({ method: 'GET', rawHeaders }),
      getResponse: () => response,
    };
    const holders = { getHandler: () => guard.canActivate, getClass: () => AdminTokenGuard };
    const context = { switchToHttp: () => http, ...holders };
    const answer = guard.canActivate(context as unknown as ExecutionContext);
    await expect(answer).rejects.toMatchObject({ status: 401 });
    expect(response.locals).toEqual({});
  });
});
