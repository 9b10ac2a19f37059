import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeNames } from './protected-resource.js';
import { requiredScopes } from './required-scopes.js';

/** Fails the start when a route requires an unknown scope, since it would refuse every request. */
@Injectable()
export class RequiredScopesService implements OnModuleInit {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit() {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const methods = metatype.prototype as Record<string, object>;
      this.expectKnown(metatype.name, metatype);
      for (const method of this.scanner.getAllMethodNames(methods)) {
        const handler = methods[method];
        if (handler) this.expectKnown(`${metatype.name}.${method}`, handler);
      }
    }
  }

  private expectKnown(owner: string, holder: object) {
    const all = scopeNames(this.options.scopes);
    for (const scope of requiredScopes(holder)) {
      if (all.includes(scope)) continue;
      throw new Error(
        `${owner} requires the scope "${scope}", which is not one of: ${all.join(', ')}`,
      );
    }
  }
}
