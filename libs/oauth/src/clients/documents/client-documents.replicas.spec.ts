import { Redis } from 'ioredis';
import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { describeWithRedis } from '../../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../../test/support/services/redis-for-tests.js';
import type { OAuthOptions } from '../../oauth.module-definition.js';
import { InProcessClientDocumentCache } from '../../client-document/client-document-cache.js';
import { RedisClientDocumentCache } from '../../client-document/client-document-cache.redis.js';
import { ClientDocumentsService } from '../../client-document/client-document.service.js';
import { DocumentFetch } from '../../client-document/document-fetch.js';

describeWithRedis('client documents on two replicas', () => {
  let host: DocumentHost;
  let database: TestRedis;
  let connections: Redis[];
  let replicas: ClientDocumentsService[];

  const replica = (redis: Redis) => {
    const clientDocuments = { blockedHosts: [], privateHosts: [host.privateHost] };
    const fetch = new DocumentFetch({ ...clientDocuments, certificates: [host.certificate] });
    const cache = new RedisClientDocumentCache(redis, new InProcessClientDocumentCache());
    return new ClientDocumentsService({ clientDocuments } as unknown as OAuthOptions, fetch, cache);
  };

  beforeAll(async () => {
    host = await startDocumentHost({ '/client': { redirect_uris: ['https://app.example/cb'] } });
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
    replicas = connections.map(replica);
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
    await host.close();
  });

  it('are fetched once', async () => {
    const clients = [];
    for (const documents of replicas) clients.push(await documents.find(host.url('/client')));
    expect(clients[1]).toEqual(clients[0]);
    expect(host.countOf('/client')).toBe(1);
  });

  it('are refused once', async () => {
    for (const documents of replicas) {
      await expect(documents.find(host.url('/missing'))).rejects.toThrow('status 404');
    }
    expect(host.countOf('/missing')).toBe(1);
  });
});
