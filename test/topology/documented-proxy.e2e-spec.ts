import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { eventually, findFreePort, findNginx, selfSignedCertificate } from '#libs/platform/testing';
import { complaintsOf, examineConfiguration, examineOrigin } from '../support/examination.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { type NginxServer, startNginxWith } from '../support/services/nginx-server.js';
import { sqliteForTests } from '../support/services/storage-for-tests.js';
import { TraceCollector } from '../support/trace-collector.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const SERVERS = read('ops/nginx/one-machine.conf');
const [, chapter = ''] = read('docs/reference/configuration.md').split('## One machine behind a ');

const VARIABLES = Object.fromEntries(
  (/```sh\n(.+?)```/s.exec(chapter)?.[1] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.split('=', 2) as [string, string]),
);

/** The certificate of these tests is valid for one day. */
const SHORT_LIVED = 'warn the certificate is valid for 0 more days';

const isInstalled = findNginx() !== undefined;

(isInstalled ? describe : describe.skip)(
  'ops/nginx/one-machine.conf, of docs/reference/configuration.md (left out where nginx is not installed)',
  () => {
    const certificate = selfSignedCertificate(['localhost']);
    const authorities = getCACertificates('default');
    let database: Awaited<ReturnType<typeof sqliteForTests>>;
    let gatehouse: Gatehouse;
    let nginx: NginxServer;
    let origin: string;
    let plainPort: number;
    let collector: TraceCollector;

    beforeAll(async () => {
      setDefaultCACertificates([...authorities, certificate.certificate]);
      const [port, plain] = await Promise.all([findFreePort(), findFreePort()]);
      [origin, plainPort] = [`https://localhost:${port}`, plain];
      database = await sqliteForTests();
      collector = await TraceCollector.start();
      gatehouse = await startGatehouse({
        ...VARIABLES,
        REDIS_URL: '',
        DATABASE_URL: database.url,
        PUBLIC_ORIGINS: origin,
        ...collector.variables,
      });
      const elsewhere = [
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        ['/etc/ssl/gate.example.pem', 'certificate.pem'],
        ['/etc/ssl/gate.example.key', 'key.pem'],
        ['server_name gate.example;', 'server_name localhost;'],
        ['proxy_pass http://127.0.0.1:3000;', `proxy_pass http://127.0.0.1:${gatehouse.port};`],
        // As the file says for an origin with a port.
        ['Host $host;', 'Host $host:$server_port;'],
      ] as const;
      const servers = elsewhere.reduce((text, [from, to]) => {
        expect(text).toContain(from);
        return text.replaceAll(from, to);
      }, SERVERS);
      nginx = await startNginxWith(servers, certificate);
    });
    afterAll(async () => {
      setDefaultCACertificates(authorities);
      await nginx.stop();
      await gatehouse.stop();
      await collector.stop();
      await database.dispose();
    });

    it('is one that the doctor has nothing to say against, from outside', async () => {
      const examination = await examineOrigin(origin);
      expect(complaintsOf(examination)).toEqual([SHORT_LIVED]);
      expect(examination.lines).toContain(`ok the issuer is ${origin}`);
    });

    it('lets no visitor say whether a request is recorded, or as part of which trace', async () => {
      const id = 'a'.repeat(32);
      const path = '/svc/me/sessions';
      await fetch(origin + path, { headers: { traceparent: `00-${id}-${'b'.repeat(16)}-00` } });
      const spans = () => collector.spans.filter(({ name }) => name === `GET ${path}`);
      await eventually(() => expect(spans()).toHaveLength(1));
      expect(spans()[0]?.traceId).not.toBe(id);
    });

    it('redirects plain http', async () => {
      const path = '/svc/auth/me?x=1';
      const headers = { host: 'localhost' };
      const answer = await call(plainPort, { method: 'GET', path, headers });
      expect([answer.status, answer.headers.location]).toEqual([
        expect.any(Number),
        `https://localhost${path}`,
      ]);
      expect([301, 307, 308]).toContain(answer.status);
    });

    it('goes with variables that the doctor has nothing to say against', async () => {
      expect(Object.keys(VARIABLES)).toContain('TRUSTED_PROXIES');
      const variables = { ...VARIABLES, DATABASE_URL: database.url };
      expect(complaintsOf(await examineConfiguration(variables))).toEqual([]);
    });
  },
);
