import {
  AdapterFactoryService,
  ClientAdapter,
  ReplayDetectionAdapter,
} from '../provider/provider-storage.js';
import { ProvidersService } from '../provider/providers.service.js';
import {
  AuthorizationCodeIssuerService,
  ConsentAnswersService,
} from '../consent/consent.service.js';
import {
  AuthorizationPages,
  AuthorizationPagesService,
  BuiltInAuthorizationPages,
} from '../authorize/authorization-pages.js';
import { AuthorizationRequestsService } from '../authorize/authorization-requests.service.js';
import { AuthorizeController } from '../authorize/authorize.controller.js';
import { ConsentApprovals, ConsentsService } from '../consent/consent.store.js';
import { MetadataController } from '../metadata/metadata.controller.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationRoomService } from './registration-room.service.js';
import { RegistrationsService } from './registrations.service.js';
import { TokenController } from '../token/token.controller.js';
import { TokensService } from '../token/token.service.js';
import { UnknownPathController } from '../oauth-endpoints.js';

/** In the order in which their routes are matched. */
export const authorizationServerControllers = [
  MetadataController,
  AuthorizeController,
  TokenController,
  RegistrationController,
  UnknownPathController,
];

export const authorizationServerProviders = [
  AdapterFactoryService,
  AuthorizationCodeIssuerService,
  AuthorizationPagesService,
  { provide: AuthorizationPages, useFactory: () => new BuiltInAuthorizationPages() },
  AuthorizationRequestsService,
  ConsentAnswersService,
  ConsentApprovals,
  ConsentsService,
  ClientAdapter,
  ProvidersService,
  RegistrationRoomService,
  RegistrationsService,
  ReplayDetectionAdapter,
  TokensService,
];
