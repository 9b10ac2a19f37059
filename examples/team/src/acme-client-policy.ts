import { ClientPolicy, type PolicyClient } from 'gatehouse/oauth';

/** Clients come back to hosts of the company, or to the person's own computer. */
export class AcmeClientPolicy extends ClientPolicy {
  async refusalOf({ redirect_uris: uris }: PolicyClient) {
    const strange = uris.some((uri) => !isOurs(new URL(uri).hostname));
    return strange ? 'Acme lets apps return to acme.example only' : undefined;
  }
}

const isOurs = (hostname: string) =>
  ['localhost', '127.0.0.1', '[::1]', 'acme.example'].includes(hostname) ||
  hostname.endsWith('.acme.example');
