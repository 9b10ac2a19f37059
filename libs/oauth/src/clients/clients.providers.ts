import { DataSource } from 'typeorm';
import { InProcessRateLimiter } from '#libs/platform';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { AssertionsService } from './assertions.service.js';
import { ClientPolicy, OpenClientPolicy } from './client-policy.js';
import { ClientsService } from './clients.service.js';
import { ClientDocumentCache } from './documents/client-document-cache.js';
import { InProcessClientDocumentCache } from './documents/client-document-cache.in-process.js';
import { ClientDocumentsService } from './documents/client-documents.service.js';
import { DocumentFetch } from './documents/document-fetch.adapter.js';
import {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './registrations/registration-budget.js';
import { UntriedRegistrationsService } from './registrations/untried-registrations.service.js';

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
