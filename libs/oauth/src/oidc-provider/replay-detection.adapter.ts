import { Injectable } from '@nestjs/common';
import { type AdapterPayload, errors } from 'oidc-provider';
import { AssertionStore } from '../client/assertion.store.js';
import { NullAdapter } from './null.adapter.js';

/** Generous, since an assertion is made for one request; bounds how long assertions have to be stored. */
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/** Client assertions that were presented. The library reads and then stores; the insert decides atomically. */
@Injectable()
export class ReplayDetectionAdapter extends NullAdapter {
  constructor(private readonly assertions: AssertionStore) {
    super();
  }

  /**
   * Throws InvalidClientAuth for an assertion that was presented before or is valid for more than a day. Of
   * parallel calls exactly one succeeds.
   */
  override async upsert(id: string, { exp = 0 }: AdapterPayload) {
    if (exp > Date.now() / 1000 + MAX_LIFETIME_SECONDS) {
      throw new errors.InvalidClientAuth('client assertion is valid for too long');
    }
    if (await this.assertions.accept(id, exp * 1000)) return;
    throw new errors.InvalidClientAuth('client assertion was used before');
  }
}
