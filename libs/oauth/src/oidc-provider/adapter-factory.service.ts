import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { AssertionsService } from '../clients/assertions.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { RegisteredClientsService } from '../clients/registered-clients.service.js';
import { GrantsService } from '../grants/grants.service.js';
import type { ReplaysService } from '../grants/replays.service.js';
import { SqlTokenStore } from '../grants/token-store.sql.js';
import { AssertionStorage } from './replay-detection.adapter.js';
import { ClientStorage } from './client.adapter.js';
import { CodeStorage } from './authorization-code.adapter.js';
import { GrantStorage } from './grant.adapter.js';
import { NoStorage } from './unsupported.adapter.js';
import { RefreshStorage } from './refresh-token.adapter.js';
import { TokenStorage } from './token.adapter.js';

/** Where a provider of one origin keeps each kind of thing. */
@Injectable()
export class ProviderStorageService {
  constructor(
    private readonly clients: ClientsService,
    private readonly registered: RegisteredClientsService,
    private readonly assertions: AssertionsService,
    private readonly grants: GrantsService,
    private readonly tokens: SqlTokenStore,
  ) {}

  forOrigin(origin: string, replays: ReplaysService): AdapterFactory {
    const parts = { tokens: this.tokens, grants: this.grants, replays, origin };
    const storages: Readonly<Record<string, () => Adapter>> = {
      Client: () => new ClientStorage(this.clients, this.registered),
      Grant: () => new GrantStorage(this.grants, origin),
      AccessToken: () => new TokenStorage('AccessToken', parts),
      AuthorizationCode: () => new CodeStorage(parts),
      RefreshToken: () => new RefreshStorage(parts),
      ReplayDetection: () => new AssertionStorage(this.assertions),
    };
    return (model) => storages[model]?.() ?? new NoStorage();
  }
}
