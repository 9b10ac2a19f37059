import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { GrantsService } from '../grant/grant.store.js';
import { TokenReplayService } from '../token/token-replay.service.js';
import { SqlTokenStore } from '../token/token.store.js';
import { AuthorizationCodeAdapter } from './authorization-code.adapter.js';
import { ClientAdapter } from './client.adapter.js';
import { GrantAdapter } from './grant.adapter.js';
import { NullAdapter } from './null.adapter.js';
import { RefreshTokenAdapter } from './refresh-token.adapter.js';
import { ReplayDetectionAdapter } from './replay-detection.adapter.js';
import { TokenAdapter } from './token.adapter.js';

/** Creates the storage adapters of the provider of one origin. */
@Injectable()
export class AdapterFactoryService {
  constructor(
    private readonly clients: ClientAdapter,
    private readonly assertions: ReplayDetectionAdapter,
    private readonly grants: GrantsService,
    private readonly tokens: SqlTokenStore,
    private readonly replays: TokenReplayService,
  ) {}

  forOrigin(origin: string): AdapterFactory {
    const { tokens, grants, replays } = this;
    const parts = { tokens, grants, replays, origin };
    const adapters: Readonly<Record<string, Adapter>> = {
      Client: this.clients,
      Grant: new GrantAdapter(parts, origin),
      AccessToken: new TokenAdapter('AccessToken', parts),
      AuthorizationCode: new AuthorizationCodeAdapter(parts),
      RefreshToken: new RefreshTokenAdapter(parts),
      ReplayDetection: this.assertions,
    };
    return (model) => adapters[model] ?? new NullAdapter();
  }
}
