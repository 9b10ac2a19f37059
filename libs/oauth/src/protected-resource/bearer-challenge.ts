import type { BearerError } from './bearer.error.js';
import { resourceMetadataUrlOf } from './protected-resource.js';

/**
 * A `WWW-Authenticate` value (RFC 6750 §3, RFC 9728 §5.1). Nothing in it needs escaping: an origin,
 * scope names (RFC 6749 §3.3) and our own messages contain neither quotes nor backslashes.
 */
export function bearerChallenge(
  { code, message, scopes }: BearerError,
  origin: string,
  allScopes: readonly string[],
): string {
  const parameters = [
    'realm="OAuth"',
    `resource_metadata="${resourceMetadataUrlOf(origin)}"`,
    `scope="${(scopes ?? allScopes).join(' ')}"`,
  ];
  if (code !== undefined) parameters.push(`error="${code}"`, `error_description="${message}"`);
  return `Bearer ${parameters.join(', ')}`;
}
