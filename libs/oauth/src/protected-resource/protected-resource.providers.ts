import { AccountSlots } from './account-slots.js';
import { BearerErrorFilter } from './bearer-error.filter.js';
import { BearerGuard } from './bearer.guard.js';
import { ProtectedResourceMetadataController } from './protected-resource-metadata.controller.js';
import { RequiredScopesService } from './required-scopes.service.js';

export const protectedResourceControllers = [ProtectedResourceMetadataController];

/** For a module that imports DiscoveryModule and has OAUTH_OPTIONS, AccessTokensService and SecurityEventsService. */
export const protectedResourceProviders = [
  AccountSlots,
  BearerErrorFilter,
  BearerGuard,
  RequiredScopesService,
];
