import { Injectable } from '@nestjs/common';
import { ClientDocumentCache } from '../client-document/client-document-cache.js';
import {
  ClientDocumentsService,
  type MayFetch,
} from '../client-document/client-document.service.js';
import { isDocumentUrl, type KnownClient } from './client.js';
import { ClientStore, type NewRegistration } from './client.store.js';

/** All clients, published and registered. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly documents: ClientDocumentsService,
    private readonly documentCache: ClientDocumentCache,
    private readonly registered: ClientStore,
  ) {}

  /**
   * A client's metadata: from its document when the identifier is an https URL, else as registered;
   * undefined when unknown. Throws ClientDocumentError when the document cannot be fetched or accepted.
   */
  async find(clientId: string, mayFetch?: MayFetch): Promise<KnownClient | undefined> {
    if (isDocumentUrl(clientId)) return this.documents.find(clientId, mayFetch);
    return this.registered.find(clientId);
  }

  /** Stores a client that registers itself. */
  async register(metadata: NewRegistration): Promise<void> {
    await this.registered.insert(metadata);
  }

  /** Called before the client is granted something: keeps its document. `clientUse` prolongs registrations. */
  async touch(clientId: string): Promise<void> {
    if (isDocumentUrl(clientId)) await this.documentCache.keep(clientId);
  }
}
