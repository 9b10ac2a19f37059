const MAX_LENGTH = 80;
const NAMELESS = 'an MCP client';

/** A client as pages and grants show it. */
export interface ClientView {
  readonly clientId: string;
  /** Chosen by the client; unverified unless `published` says whose it is. */
  readonly clientName?: string | undefined;
  /** Host name of the identifier when that is the https URL of a metadata document. */
  readonly published: string | null;
}

type Named = Pick<ClientView, 'clientId' | 'clientName'>;

/** Host name of a client identifier that is an https URL, else null. */
export function publishedBy(clientId: string): string | null {
  const url = URL.parse(clientId);
  return url?.protocol === 'https:' ? url.hostname : null;
}

/** What people get to read: the client's own name, else who publishes it; 80 characters at most. */
export function appName({ clientId, clientName = '' }: Named): string {
  const name = clientName.trim() || publishedBy(clientId) || NAMELESS;
  return [...name].slice(0, MAX_LENGTH).join('').trimEnd();
}

/** How pages show the client behind its metadata. */
export const clientView = (metadata: { client_id: string; client_name?: string }): ClientView => ({
  clientId: metadata.client_id,
  clientName: metadata.client_name,
  published: publishedBy(metadata.client_id),
});
