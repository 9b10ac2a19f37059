import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type DocumentHost, startDocumentHost } from './document-host.js';
import { type Gatehouse, startGatehouse } from './gatehouse.js';

/** The service beside a host of metadata documents, which it may reach and whose certificate it trusts. */
export interface PublishedClients {
  readonly gatehouse: Gatehouse;
  readonly host: DocumentHost;
  stop(): Promise<void>;
}

export async function startPublishedClients(
  variables: Readonly<Record<string, string>> = {},
): Promise<PublishedClients> {
  const host = await startDocumentHost();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, host.certificate]);
  const gatehouse = await startGatehouse({ CIMD_PRIVATE_HOSTS: host.privateHost, ...variables });
  const stop = async () => {
    await gatehouse.stop();
    await host.close();
    setDefaultCACertificates(trusted);
  };
  return { gatehouse, host, stop };
}
