import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type LocalJWKSet,
} from 'jose';
import { isJsonObject, parseJson, whileWaiting } from '#libs/platform';
import { hostAndPort } from '../client/client.js';
import { ClientDocumentError, freshForMs, usableKeys } from '../client-document/client-document.js';
import {
  DocumentFetch,
  type DocumentFetchOptions,
  MAX_KEY_SET_BYTES,
} from '../client-document/document-fetch.js';
import {
  OAUTH_OPTIONS,
  type OAuthOptions,
  type TrustedIssuer,
} from '../oauth.module-definition.js';

/** The least time between the beginnings of two fetches for an issuer, whatever their outcome. */
export const LEAST_BETWEEN_FETCHES_MS = 30_000;

/** However long a copy may be cached: an issuer that withdraws a stolen key is heard within this time. */
const MOST_FRESH_MS = 60 * 60 * 1000;

/** How long a copy serves while no newer one can be fetched. */
const LAST_GOOD_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The keys of an issuer cannot be fetched. The message is for the log. */
export class KeysUnavailableError extends Error {
  override name = 'KeysUnavailableError';
}

/** The issuer answers with a key set without any key that can be used: it has withdrawn those of before. */
class NoUsableKeyError extends ClientDocumentError {}

/** The issuer does not publish the key that a header names. */
export class UnknownKeyError extends Error {
  override name = 'UnknownKeyError';
}

/** How many fetches of an issuer's keys ended in which way, since the start. */
export interface KeyFetches {
  fetched: number;
  failed: number;
}

/** A key set as it was fetched. Times are those of `performance.now()`, which no change of the machine's clock moves. */
interface Copy {
  readonly select: LocalJWKSet;
  /** Until then it is used without another fetch for keys that it has. */
  readonly freshUntil: number;
  readonly lastGoodUntil: number;
}

interface KnownIssuer {
  /** Reaches the private hosts of this issuer alone: its metadata must not lead to those of another. */
  readonly documents: DocumentFetch;
  copy?: Copy;
  /** When the last fetch began. */
  fetchedAt: number;
  /** Why the last fetch failed; undefined where it did not. */
  failure?: string | undefined;
  /** The fetch that is under way; never rejects. */
  fetching?: Promise<void> | undefined;
}

/**
 * The keys of trusted issuers: from `jwksUri`, else from their metadata (OpenID Connect Discovery 1.0 §4, RFC 8414 §3),
 * with the address checks of client documents. A fetch for an issuer begins 30 seconds after the one before at the
 * earliest: jose's remote key set begins one for each call while the issuer fails, and has no older copy to serve then.
 */
@Injectable()
export class IssuerKeysService {
  /** By the name of the issuer; empty where no issuer is trusted. */
  readonly fetches: ReadonlyMap<string, KeyFetches>;
  private readonly logger = new Logger(IssuerKeysService.name);
  private readonly known = new Map<string, KnownIssuer>();

  constructor(
    @Inject(OAUTH_OPTIONS)
    private readonly options: Pick<OAuthOptions, 'clientDocuments' | 'trustedIssuers'>,
  ) {
    const { trustedIssuers = [] } = options;
    this.fetches = new Map(trustedIssuers.map(({ name }) => [name, { fetched: 0, failed: 0 }]));
  }

  /** The key for this header. Throws KeysUnavailableError without a usable copy, UnknownKeyError without the key. */
  async find(trusted: TrustedIssuer, header: JWSHeaderParameters): Promise<CryptoKey> {
    const known = this.stateOf(trusted);
    if (!known.copy || known.copy.freshUntil <= performance.now())
      await this.refresh(trusted, known);
    const key = await selectFrom(known, header);
    if (key) return key;
    const before = known.copy;
    await this.refresh(trusted, known);
    const late = known.copy === before ? undefined : await selectFrom(known, header);
    if (late) return late;
    if (known.failure !== undefined) throw new KeysUnavailableError(known.failure);
    throw new UnknownKeyError();
  }

  /** The number of usable keys that an issuer publishes; asks it each time. Throws KeysUnavailableError. */
  async count(trusted: TrustedIssuer): Promise<number> {
    const { select } = await this.fetchKeys(trusted);
    return select.jwks().keys.length;
  }

  private stateOf(trusted: TrustedIssuer): KnownIssuer {
    const { issuer } = trusted;
    const documents = () => new DocumentFetch(allowing(this.options.clientDocuments, trusted));
    const known = this.known.get(issuer) ?? { documents: documents(), fetchedAt: -Infinity };
    this.known.set(issuer, known);
    return known;
  }

  /** Waits for a fetch, its own or the one that is under way. Does nothing where it is too early for one. */
  private async refresh(trusted: TrustedIssuer, known: KnownIssuer): Promise<void> {
    if (!known.fetching && performance.now() - known.fetchedAt >= LEAST_BETWEEN_FETCHES_MS) {
      known.fetchedAt = performance.now();
      known.fetching = this.fetchInto(known, trusted).finally(() => {
        known.fetching = undefined;
      });
    }
    await whileWaiting(async () => known.fetching);
  }

  private async fetchInto(known: KnownIssuer, trusted: TrustedIssuer): Promise<void> {
    try {
      known.copy = await this.fetchKeys(trusted);
      known.failure = undefined;
      this.countFetch(trusted, 'fetched');
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) throw error;
      known.failure = error.message;
      if (error.cause instanceof NoUsableKeyError) delete known.copy;
      this.countFetch(trusted, 'failed');
      this.logger.warn(known.failure);
    }
  }

  private countFetch({ name }: TrustedIssuer, outcome: keyof KeyFetches) {
    const counts = this.fetches.get(name);
    if (counts) counts[outcome] += 1;
  }

  private async fetchKeys(trusted: TrustedIssuer): Promise<Copy> {
    const { documents } = this.stateOf(trusted);
    try {
      const address = trusted.jwksUri ?? (await discover(trusted.issuer, documents));
      const { text, cacheControl } = await documents.getJson(address, MAX_KEY_SET_BYTES);
      const now = performance.now();
      return {
        select: createLocalJWKSet(keySetIn(text)),
        freshUntil: now + Math.min(freshForMs(cacheControl), MOST_FRESH_MS),
        lastGoodUntil: now + LAST_GOOD_LIFETIME_MS,
      };
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      const message = `the keys of ${trusted.name} cannot be had: ${error.message}`;
      throw new KeysUnavailableError(message, { cause: error });
    }
  }
}

/** The `jwks_uri` of the first metadata document that is there and names the issuer. */
async function discover(issuer: string, documents: DocumentFetch): Promise<string> {
  const faults: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    try {
      const { text } = await documents.getJson(address, MAX_KEY_SET_BYTES);
      return keySetOf(parseJson(text), issuer);
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      faults.push(`${address} ${error.message}`);
    }
  }
  throw new ClientDocumentError(faults.join('; '));
}

/** The key in the newest copy; undefined where it has none, or several, that fit the header. */
async function selectFrom({ copy, failure }: KnownIssuer, header: JWSHeaderParameters) {
  if (!copy || copy.lastGoodUntil <= performance.now()) {
    throw new KeysUnavailableError(failure ?? 'no keys were fetched');
  }
  try {
    return await copy.select(header);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JWKSMultipleMatchingKeys) return undefined;
    throw error;
  }
}

/** With the path of the issuer after (OpenID Connect) and before (RFC 8414) its own. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

function keySetOf(metadata: unknown, issuer: string): string {
  if (!isJsonObject(metadata)) throw new ClientDocumentError('is not a JSON object');
  if (metadata['issuer'] !== issuer) throw new ClientDocumentError('names another issuer');
  const { jwks_uri: address } = metadata;
  if (typeof address !== 'string') throw new ClientDocumentError('has no jwks_uri');
  return address;
}

function keySetIn(text: string): JSONWebKeySet {
  const keys = usableKeys(text);
  if (keys.length === 0) throw new NoUsableKeyError('has no key that can be used');
  return { keys: keys as unknown as JSONWebKeySet['keys'] };
}

/** The policy for client documents, without its private hosts and with those that the operator names for an issuer. */
function allowing(
  policy: OAuthOptions['clientDocuments'],
  { issuer, jwksUri = issuer, privateNetwork }: TrustedIssuer,
): DocumentFetchOptions {
  const places = [issuer, jwksUri].map((address) => new URL(address));
  const namedHosts = places.map(({ hostname }) => hostname);
  return { ...policy, namedHosts, privateHosts: privateNetwork ? places.map(hostAndPort) : [] };
}
