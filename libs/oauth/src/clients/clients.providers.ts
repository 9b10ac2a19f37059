import { DataSource } from 'typeorm';
import { InProcessRateLimiter } from '#libs/platform';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { AssertionsService } from '../client/assertion.store.js';
import { ClientPolicy, OpenClientPolicy } from '../client/client-policy.js';
import { ClientsService } from '../client/client.service.js';
import {
  ClientDocumentCache,
  InProcessClientDocumentCache,
} from '../client-document/client-document-cache.js';
import { ClientDocumentsService } from '../client-document/client-document.service.js';
import { DocumentFetch } from '../client-document/document-fetch.js';
import {
  CountedRegistrationBudget,
  RegistrationBudget,
} from '../registration/registration-budget.js';
import { UntriedRegistrationsService } from '../registration/registration.store.js';

export const clientProviders = [
  AssertionsService,
  ClientsService,
  ClientDocumentsService,
  { provide: ClientPolicy, useFactory: () => new OpenClientPolicy() },
  {
    provide: RegistrationBudget,
    useFactory: () => new CountedRegistrationBudget(new InProcessRateLimiter()),
  },
  {
    provide: UntriedRegistrationsService,
    useFactory: (dataSource: DataSource) => new UntriedRegistrationsService(dataSource),
    inject: [DataSource],
  },
  { provide: ClientDocumentCache, useFactory: () => new InProcessClientDocumentCache() },
  {
    provide: DocumentFetch,
    useFactory: ({ clientDocuments }: OAuthOptions) => new DocumentFetch(clientDocuments),
    inject: [OAUTH_OPTIONS],
  },
];
