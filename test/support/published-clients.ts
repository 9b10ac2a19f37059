import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type DocumentHost, hostIdentity, startDocumentHost } from '#libs/oauth/testing';
import { type Gatehouse, startGatehouse } from './gatehouse.js';

/** The service, and a host of metadata documents that it may reach and whose certificate it trusts. */
export interface PublishedClients {
  readonly gatehouse: Gatehouse;
  readonly host: DocumentHost;
  /** On the same address, each on its own port. */
  readonly otherHosts: readonly DocumentHost[];
  stop(): Promise<void>;
}

export async function startPublishedClients(
  variables: Readonly<Record<string, string>> = {},
  otherHostCount = 0,
): Promise<PublishedClients> {
  const identity = hostIdentity();
  const start = () => startDocumentHost({}, '127.0.0.1', identity);
  const host = await start();
  const otherHosts = await Promise.all(Array.from({ length: otherHostCount }, start));
  const hosts = [host, ...otherHosts];
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, identity.certificate]);
  const privateHosts = hosts.map(({ privateHost }) => privateHost).join(',');
  const gatehouse = await startGatehouse({ CIMD_PRIVATE_HOSTS: privateHosts, ...variables });
  const stop = async () => {
    await gatehouse.stop();
    await Promise.all(hosts.map((each) => each.close()));
    setDefaultCACertificates(trusted);
  };
  return { gatehouse, host, otherHosts, stop };
}
