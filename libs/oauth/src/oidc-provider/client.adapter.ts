import { type AdapterPayload, Provider } from 'oidc-provider';
import type { ClientsService } from '../clients/clients.service.js';
import type { RegisteredClientsService } from '../clients/registered-clients.service.js';
import { NullAdapter } from './null.adapter.js';

/** Clients, wherever they come from; the library itself only ever adds registered ones. */
export class ClientAdapter extends NullAdapter {
  constructor(
    private readonly clients: ClientsService,
    private readonly registered: RegisteredClientsService,
  ) {
    super();
  }

  /** Those who are connected already are served with the last good document. */
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const route = Provider.ctx?.oidc.route;
    const forRefresh = route === 'token' || route === 'revocation';
    return (await this.clients.find(id, { forRefresh })) as AdapterPayload | undefined;
  }

  override async upsert(_id: string, metadata: AdapterPayload) {
    await this.registered.insert(metadata);
  }
}
