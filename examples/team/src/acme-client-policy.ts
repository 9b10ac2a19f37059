import { ClientPolicy, type PolicyClient } from 'gatehouse/oauth';
import { requestHost } from './request-host.middleware.js';

/** Clients come back to hosts of the company or to the person's own computer, those of partners anywhere. */
export class AcmeClientPolicy extends ClientPolicy {
  async refusalOf({ redirect_uris: uris }: PolicyClient) {
    if (requestHost()?.startsWith('partners.')) return undefined;
    const strange = uris.some((uri) => !isOurs(new URL(uri).hostname));
    return strange ? 'Acme lets apps return to acme.example only' : undefined;
  }
}

const isOurs = (hostname: string) =>
  ['localhost', '127.0.0.1', '[::1]', 'acme.example'].includes(hostname) ||
  hostname.endsWith('.acme.example');
