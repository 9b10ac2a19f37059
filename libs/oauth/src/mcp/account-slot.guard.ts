import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { whileWaiting } from '#libs/load';
import { AccountSlots } from './account-slots.js';
import { onExchangeEnd } from './exchange-end.js';

/** Has a request wait for those of the same account that came before; no look-up is made for it until then. */
@Injectable()
export class AccountSlotGuard implements CanActivate {
  constructor(private readonly slots: AccountSlots) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { authorization } = request.headers;
    if (authorization === undefined) return true;
    const slot = this.slots.enter(authorization);
    onExchangeEnd(http.getResponse<Response>(), () => slot.leave());
    await whileWaiting(() => slot.turn);
    return true;
  }
}
