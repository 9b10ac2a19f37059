const MAX_LENGTH = 80;
const NAMELESS = 'an MCP client';

interface NamedClient {
  readonly clientId: string;
  /** Chosen by the client. */
  readonly clientName?: string | undefined;
}

/** The host name of a client identifier that is an https URL, else null. */
export function publishedBy(clientId: string): string | null {
  const url = URL.parse(clientId);
  return url?.protocol === 'https:' ? url.hostname : null;
}

/** The name that users see: the client's own, else the host that publishes it; at most 80 characters. */
export function appName({ clientId, clientName = '' }: NamedClient): string {
  const name = clientName.trim() || publishedBy(clientId) || NAMELESS;
  return [...name].slice(0, MAX_LENGTH).join('').trimEnd();
}
