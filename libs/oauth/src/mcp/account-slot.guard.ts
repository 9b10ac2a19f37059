import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { onExchangeEnd, whileWaiting } from '#libs/load';
import { isOfOurForm } from '../protected-resource/bearer-token.js';
import { bearerTokenOf } from '../protected-resource/bearer.guard.js';
import { AccountSlots, type Slot } from './account-slots.js';

const entered = new WeakMap<Request, Slot>();

/** Says whose token a request showed that went through the guard. */
export const noteAccountOf = (request: Request, account: string): void =>
  entered.get(request)?.belongsTo(account);

/**
 * Has a request wait for those of the same account that came before; no look-up is made for it until then.
 * What no look-up is needed for does not wait. As readBearerToken for what can be no token.
 */
@Injectable()
export class AccountSlotGuard implements CanActivate {
  constructor(private readonly slots: AccountSlots) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const token = bearerTokenOf(request);
    if (token === undefined || !isOfOurForm(token)) return true;
    const slot = this.slots.enter(token);
    entered.set(request, slot);
    onExchangeEnd(http.getResponse<Response>(), () => slot.leave());
    await whileWaiting(() => slot.turn);
    return true;
  }
}
