import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { complaintsOf, examineConfiguration, examineOrigin } from '../support/examination.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { NOTES, resourcesFile } from '../support/resource-files.js';
import { findFreePort } from '#libs/platform/testing';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const GUIDE = readFileSync(new URL('../../docs/guides/resources.md', import.meta.url), 'utf8');
const [, CHALLENGE = ''] = /```http\n[^`]*?(Bearer .*)\n```/.exec(GUIDE) ?? [];
const [, DOCUMENT = ''] = /```json\n(\{[^]*?)```/.exec(GUIDE) ?? [];
const METADATA = '/.well-known/oauth-protected-resource/mcp';

describe('the doctor, with a resource elsewhere', () => {
  let storage: TestStorage;
  let server: Server;
  let origin: string;
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    storage = await storageForTests();
    server = createServer(({ url }, response) => {
      if (url === METADATA) return answer(response);
      response.writeHead(401, { 'www-authenticate': written(CHALLENGE) }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await storage.dispose();
  });

  /** A text of docs/guides/resources.md, with the addresses of this test. */
  const written = (text: string, gate = 'http://localhost:3000') =>
    text.replaceAll('https://notes.example', origin).replaceAll('https://gate.example', gate);
  const json = (text: string) => (response: ServerResponse) =>
    void response.setHeader('content-type', 'application/json').end(text);
  const variables = () => ({
    ...storage.environment,
    ...resourcesFile({ ...NOTES, resource: `${origin}/mcp` }),
  });

  it('finds nothing wrong where it is as the guide says', async () => {
    answer = json(written(DOCUMENT));
    const refused = await fetch(`${origin}/mcp`, { method: 'POST' });
    const [, address = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(await (await fetch(address)).json()).toMatchObject({ resource: `${origin}/mcp` });
    const examination = await examineConfiguration(variables());
    expect(complaintsOf(examination)).toEqual([]);
    expect(examination.lines).toContain(`ok the metadata of ${origin}/mcp names this service`);
  });

  it.each<[string, () => (response: ServerResponse) => void, () => string]>([
    [
      'is not there',
      () => (response) => void response.writeHead(404).end(),
      () => `FAIL ${origin}${METADATA} answers 404`,
    ],
    [
      'is no JSON',
      () => json('<html>'),
      () => `FAIL the metadata of ${origin}/mcp is of undefined`,
    ],
    [
      'is of another resource',
      () => json(written(DOCUMENT).replaceAll('/mcp"', '/mcp/"')),
      () => `FAIL the metadata of ${origin}/mcp is of ${origin}/mcp/`,
    ],
    [
      'names another service',
      () => json(written(DOCUMENT, 'https://other.example')),
      () => `FAIL the metadata of ${origin}/mcp does not name http://localhost:3000`,
    ],
  ])('says that its metadata %s', async (_what, given, line) => {
    answer = given();
    const examination = await examineConfiguration(variables());
    expect([examination.failed, complaintsOf(examination)]).toEqual([true, [line()]]);
  });

  it('says that it cannot be reached', async () => {
    const nowhere = `http://localhost:${await findFreePort()}`;
    const examination = await examineConfiguration({
      ...storage.environment,
      ...resourcesFile({ ...NOTES, resource: `${nowhere}/mcp` }),
    });
    expect(complaintsOf(examination)).toEqual([
      expect.stringContaining(`FAIL ${nowhere} cannot be reached: `),
    ]);
  });

  it('of which no one is asked that is on an origin of the service', async () => {
    const examination = await examineConfiguration({
      ...storage.environment,
      PUBLIC_ORIGINS: 'https://gate.example',
      TRUSTED_PROXIES: 'loopback',
      ADD_PASSKEY_MAX_AGE: '10',
      ...resourcesFile({ ...NOTES, resource: 'https://gate.example/notes' }),
    });
    expect(examination.lines).toContain(
      'ok https://gate.example/notes is on the origin of this service, which has its metadata',
    );
    expect(examination.failed).toBe(false);
  });

  it('fails as the start does where the file cannot be used', async () => {
    const bad = { ...storage.environment, ...resourcesFile(NOTES, NOTES) };
    await expect(async () => examineConfiguration(bad)).rejects.toThrow(
      'entry 2 of RESOURCES_FILE has the resource of entry 1 of RESOURCES_FILE',
    );
  });

  it('asks from outside for what the running service lists', async () => {
    let gatehouse: Gatehouse | undefined;
    try {
      gatehouse = await startGatehouse(resourcesFile({ ...NOTES, resource: `${origin}/mcp` }));
      answer = json(written(DOCUMENT, gatehouse.origin));
      const good = await examineOrigin(gatehouse.origin);
      expect(good.lines).toContain(`ok the metadata of ${origin}/mcp names this service`);
      answer = json(written(DOCUMENT));
      expect(complaintsOf(await examineOrigin(gatehouse.origin))).toEqual([
        `FAIL the metadata of ${origin}/mcp does not name ${gatehouse.origin}`,
      ]);
    } finally {
      await gatehouse?.stop();
    }
  });
});
