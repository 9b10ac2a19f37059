import { type AdapterPayload, errors } from 'oidc-provider';
import type { AssertionsService } from '../../clients/assertions.service.js';
import { NoStorage } from './no-storage.adapter.js';

/** Client assertions that were presented: the library looks and then stores, this decides. */
export class AssertionStorage extends NoStorage {
  constructor(private readonly assertions: AssertionsService) {
    super();
  }

  /** Throws InvalidClientAuth for one that was presented before; of parallel calls one is first. */
  override async upsert(id: string, { exp = 0 }: AdapterPayload) {
    if (await this.assertions.accept(id, exp * 1000)) return;
    throw new errors.InvalidClientAuth('client assertion was used before');
  }
}
