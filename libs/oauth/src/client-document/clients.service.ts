import { Injectable } from '@nestjs/common';
import { parseJson } from '#libs/platform';
import {
  ClientDocumentError,
  freshForMs,
  type KnownDocument,
  type RefusedDocument,
} from './client-document.js';
import { ClientDocumentCache } from './client-document-cache.js';
import { DocumentFetch } from './document-fetch.js';
import type { FetchedJson } from './json-request.js';
import { documentMetadata, isDocumentUrl, type KnownClient } from '../client/client.js';
import { ClientStore } from '../client/client.store.js';
import { ClientMetadataError } from '../client/metadata-fields.js';

/** Bounds the stored reason, which may quote text of the remote host, such as the names in a certificate. */
const MAX_REASON_LENGTH = 1_000;

const MINUTE = 60 * 1000;

/** Measured from the fetch; such a copy serves refresh and revocation when there is no fresher one. */
const LAST_GOOD_LIFETIME_MS = 7 * 24 * 60 * MINUTE;

/** For a document that no grant uses, however fresh: the time to approve a grant, which keeps it for longer. */
const TRIAL_LIFETIME_MS = 10 * MINUTE;

const REFUSAL_LIFETIME_MS = 30 * 1000;

/** Whether the caller may trigger a fetch; called only when no cached document is fresh. */
type MayFetch = () => Promise<boolean>;

@Injectable()
export class ClientsService {
  constructor(
    private readonly documents: DocumentFetch,
    private readonly cache: ClientDocumentCache,
    readonly registered: ClientStore,
  ) {}

  /** A client's metadata; with `mayFetch`, of connected ones, the last good one. Throws ClientDocumentError. */
  async find(clientId: string, mayFetch?: MayFetch): Promise<KnownClient | undefined> {
    if (!isDocumentUrl(clientId)) return this.registered.find(clientId);
    const fault = this.documents.refusalOfClient(clientId);
    if (fault !== undefined) throw new ClientDocumentError(fault);
    const { document, refusal } = await this.cache.find(clientId);
    if (document && document.freshUntil > Date.now()) return document.client;
    try {
      if (mayFetch && !(await mayFetch())) {
        throw new ClientDocumentError('nothing was given to the client that asks');
      }
      if (refusal !== undefined) throw refused(refusal);
      return await this.documents.inTurn(clientId, (answer) => this.remember(clientId, answer));
    } catch (error) {
      if (mayFetch && document && error instanceof ClientDocumentError) return document.client;
      throw error;
    }
  }

  /** Call it before the client is granted something. `RECORD_CLIENT_USE` prolongs a registration. */
  async keepDocument(clientId: string): Promise<void> {
    if (isDocumentUrl(clientId)) await this.cache.keep(clientId);
  }

  private async remember(clientId: string, answer: Promise<FetchedJson>): Promise<KnownClient> {
    try {
      const document = this.read(clientId, await answer);
      await this.cache.putDocument(clientId, document, TRIAL_LIFETIME_MS);
      return document.client;
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      const reason = `${clientId} ${error.message}`.slice(0, MAX_REASON_LENGTH);
      const refusal = { reason, transient: error.transient };
      await this.cache.putRefusal(clientId, refusal, REFUSAL_LIFETIME_MS);
      throw refused(refusal, error);
    }
  }

  private read(clientId: string, { text, cacheControl }: FetchedJson): KnownDocument {
    const client = parseDocument(text, clientId);
    const { jwks_uri: keySet } = client;
    const refusal = keySet === undefined ? undefined : this.documents.refusalOf(keySet);
    if (refusal !== undefined) throw new ClientDocumentError(`has a jwks_uri that ${refusal}`);
    const now = Date.now();
    const lastGoodUntil = now + LAST_GOOD_LIFETIME_MS;
    return { client, freshUntil: now + freshForMs(cacheControl), lastGoodUntil };
  }
}

const refused = ({ reason, transient }: RefusedDocument, cause?: unknown) =>
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
