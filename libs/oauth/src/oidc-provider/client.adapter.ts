import { Injectable } from '@nestjs/common';
import { type AdapterPayload, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { KnownClient } from '../client/client.js';
import { ClientsService } from '../client/client.service.js';
import { ClientStore } from '../client/client.store.js';
import { NullAdapter } from './null.adapter.js';
import { clientOfCall } from './provider-call.adapter.js';

/** Published and registered clients; the library itself only adds registered ones. */
@Injectable()
export class ClientAdapter extends NullAdapter {
  private readonly found = new WeakMap<KoaContextWithOIDC, KnownClient>();

  constructor(
    private readonly clients: ClientsService,
    private readonly registered: ClientStore,
  ) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const context = Provider.ctx;
    const known = context && clientOfCall(context);
    const client = known?.client_id === id ? known : await this.clients.find(id);
    if (context && client) this.found.set(context, client);
    return client as AdapterPayload | undefined;
  }

  /** The client of a request that the library handled, with the metadata that the library used. */
  foundFor(context: KoaContextWithOIDC): KnownClient | undefined {
    return this.found.get(context);
  }

  override async upsert(_id: string, metadata: AdapterPayload) {
    await this.registered.insert(metadata);
  }
}
