import { Inject, Injectable } from '@nestjs/common';
import { parseJson } from '#libs/json';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { clientIdUrlFault } from '../client-id-url.js';
import { ClientMetadataError } from '../client-metadata.error.js';
import { documentMetadata, type KnownClient } from '../client-metadata.js';
import { ClientDocumentError, FetchOverloadError } from './client-document.error.js';
import { ClientDocumentCache, type KnownDocument, type Refusal } from './client-document-cache.js';
import { DocumentFetch } from './document-fetch.adapter.js';
import {
  documentTimes,
  isFresh,
  REFUSAL_LIFETIME_MS,
  trialLifetimeMs,
} from './document-lifetimes.js';
import { isHostAllowed } from './host-policy.js';

export interface FindOptions {
  /** For a refresh or a revocation: the last good document will do when there is no better one. */
  readonly forRefresh?: boolean | undefined;
}

/** Clients that are identified by the URL of their metadata document. */
@Injectable()
export class ClientDocumentsService {
  private readonly inFlight = new Map<string, Promise<KnownClient>>();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly documents: DocumentFetch,
    private readonly cache: ClientDocumentCache,
  ) {}

  /** Throws ClientDocumentError when there is no document that may be gone by. */
  async find(clientId: string, { forRefresh = false }: FindOptions = {}): Promise<KnownClient> {
    this.checkIdentifier(clientId);
    const { document, refusal } = await this.cache.find(clientId);
    if (document && isFresh(document)) return document.client;
    try {
      if (refusal !== undefined) throw refused(refusal);
      return await this.fetchOnce(clientId);
    } catch (error) {
      if (forRefresh && document && error instanceof ClientDocumentError) return document.client;
      throw error;
    }
  }

  /** The client was given a grant or used one: its last good document is kept for 7 days. */
  async touch(clientId: string): Promise<void> {
    await this.cache.keep(clientId);
  }

  private checkIdentifier(clientId: string) {
    const { privateHosts, ...policy } = this.options.clientDocuments;
    const fault = clientIdUrlFault(clientId, privateHosts);
    if (fault !== undefined) throw new ClientDocumentError(fault);
    if (isHostAllowed(new URL(clientId).hostname, policy)) return;
    throw new ClientDocumentError(`${clientId} is on a host that is not allowed`);
  }

  /** Whoever asks while a fetch is under way gets what it brings. */
  private fetchOnce(clientId: string): Promise<KnownClient> {
    const underWay = this.inFlight.get(clientId);
    if (underWay) return underWay;
    const fetching = this.fetch(clientId).finally(() => this.inFlight.delete(clientId));
    this.inFlight.set(clientId, fetching);
    return fetching;
  }

  private async fetch(clientId: string): Promise<KnownClient> {
    try {
      const document = await this.fetchDocument(clientId);
      await this.cache.putDocument(clientId, document, trialLifetimeMs(document));
      return document.client;
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      const reason = `${clientId} ${error.message}`;
      if (error instanceof FetchOverloadError) throw new FetchOverloadError(reason);
      const refusal = { reason, transient: error.transient };
      await this.cache.putRefusal(clientId, refusal, REFUSAL_LIFETIME_MS);
      throw refused(refusal, error);
    }
  }

  private async fetchDocument(clientId: string): Promise<KnownDocument> {
    const { text, cacheControl } = await this.documents.getJson(clientId);
    return { client: parseDocument(text, clientId), ...documentTimes(cacheControl) };
  }
}

const refused = ({ reason, transient }: Refusal, cause?: unknown) =>
  new ClientDocumentError(reason, { transient, cause });

function parseDocument(text: string, clientId: string): KnownClient {
  const document = parseJson(text);
  if (document === undefined) throw new ClientDocumentError('is not valid JSON');
  try {
    return documentMetadata(document, clientId);
  } catch (error) {
    if (error instanceof ClientMetadataError) {
      throw new ClientDocumentError(`is not acceptable: ${error.message}`, { cause: error });
    }
    throw new ClientDocumentError(`cannot be read: ${String(error)}`, { cause: error });
  }
}
