import { Injectable } from '@nestjs/common';
import { isDocumentUrl } from './client-id-url.js';
import type { KnownClient } from './client-metadata.js';
import { ClientDocumentsService, type FindOptions } from './documents/client-documents.service.js';
import { RegisteredClientsService } from './registered-clients.service.js';

/** Every client there is, wherever it comes from. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly documents: ClientDocumentsService,
    private readonly registered: RegisteredClientsService,
  ) {}

  /**
   * A client's metadata: of its document when the identifier is an https URL, else as registered;
   * undefined when unknown. Throws ClientDocumentError when its document cannot be had or accepted.
   */
  async find(clientId: string, options?: FindOptions): Promise<KnownClient | undefined> {
    if (isDocumentUrl(clientId)) return this.documents.find(clientId, options);
    return this.registered.find(clientId);
  }

  /** The client is about to be given something, which keeps its document; `clientUse` keeps registrations. */
  async touch(clientId: string): Promise<void> {
    if (isDocumentUrl(clientId)) await this.documents.touch(clientId);
  }
}
