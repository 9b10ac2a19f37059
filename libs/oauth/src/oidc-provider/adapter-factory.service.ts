import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { AssertionsService } from '../clients/assertions.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { RegisteredClientsService } from '../clients/registered-clients.service.js';
import { GrantsService } from '../grants/grants.service.js';
import type { TokenReplayService } from '../grants/token-replay.service.js';
import { SqlTokenStore } from '../grants/token-store.sql.js';
import { ReplayDetectionAdapter } from './replay-detection.adapter.js';
import { ClientAdapter } from './client.adapter.js';
import { AuthorizationCodeAdapter } from './authorization-code.adapter.js';
import { GrantAdapter } from './grant.adapter.js';
import { NullAdapter } from './null.adapter.js';
import { RefreshTokenAdapter } from './refresh-token.adapter.js';
import { TokenAdapter } from './token.adapter.js';

/** What a provider of one origin keeps its models in. */
@Injectable()
export class AdapterFactoryService {
  constructor(
    private readonly clients: ClientsService,
    private readonly registered: RegisteredClientsService,
    private readonly assertions: AssertionsService,
    private readonly grants: GrantsService,
    private readonly tokens: SqlTokenStore,
  ) {}

  forOrigin(origin: string, replays: TokenReplayService): AdapterFactory {
    const parts = { tokens: this.tokens, grants: this.grants, replays, origin };
    const adapters: Readonly<Record<string, () => Adapter>> = {
      Client: () => new ClientAdapter(this.clients, this.registered),
      Grant: () => new GrantAdapter(this.grants, origin),
      AccessToken: () => new TokenAdapter('AccessToken', parts),
      AuthorizationCode: () => new AuthorizationCodeAdapter(parts),
      RefreshToken: () => new RefreshTokenAdapter(parts),
      ReplayDetection: () => new ReplayDetectionAdapter(this.assertions),
    };
    return (model) => adapters[model]?.() ?? new NullAdapter();
  }
}
