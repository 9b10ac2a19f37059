import type { JsonObject } from '#libs/platform/json';
import { OAuthError } from '../oauth-error.js';

/** Client metadata that is not acceptable (RFC 7591 §3.2.2); the message is for the client's developer. */
export class ClientMetadataError extends OAuthError {
  override name = 'ClientMetadataError';

  constructor(error: 'invalid_redirect_uri' | 'invalid_client_metadata', message: string) {
    super(400, error, message);
  }
}

export const invalidMetadata = (message: string) =>
  new ClientMetadataError('invalid_client_metadata', message);

/** The metadata without what is empty or null, in lists too: clients send their settings as they are. */
export const withoutEmpty = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([, value]) => !isEmpty(value))
      .map(([member, value]) => [
        member,
        Array.isArray(value) ? value.filter((entry) => !isEmpty(entry)) : value,
      ]),
  );

const isEmpty = (value: unknown) => value === null || value === '';

/** A member that is a list of strings, without repeats; undefined when absent, null or empty. */
export function stringList(metadata: JsonObject, member: string): string[] | undefined {
  const list = metadata[member] ?? [];
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string')) {
    throw invalidMetadata(`${member} must be an array of strings`);
  }
  return list.length === 0 ? undefined : [...new Set(list as string[])];
}

export function optionalString(metadata: JsonObject, member: string): string | undefined {
  const value = metadata[member] ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw invalidMetadata(`${member} must be a string`);
  }
  return value;
}

/** The value when it is an https URL of at most 2048 characters without credentials; else undefined. */
export function httpsUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !/^https:\/\/[!-~]+$/.test(value)) {
    return undefined;
  }
  const url = URL.parse(value);
  return url && url.username === '' && url.password === '' ? value : undefined;
}
