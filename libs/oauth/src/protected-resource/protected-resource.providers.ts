import { ProtectedResourceMetadataController } from '../metadata/metadata.controller.js';
import { AccountSlots } from './account-slots.js';
import { BearerErrorFilter, BearerGuard, RequiredScopesService } from './bearer.guard.js';

export const protectedResourceControllers = [ProtectedResourceMetadataController];

/** For a module that imports DiscoveryModule and has OAUTH_OPTIONS, AccessTokensService and SecurityEventsService. */
export const protectedResourceProviders = [
  AccountSlots,
  BearerErrorFilter,
  BearerGuard,
  RequiredScopesService,
];
