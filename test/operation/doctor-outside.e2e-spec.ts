import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findFreePort, selfSignedCertificate } from '#libs/platform/testing';
import { complaintsOf, examineOrigin } from '../support/examination.js';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { startTlsFront, type TlsFront } from './tls-front.js';

/** The certificate of these tests is valid for one day. */
const SHORT_LIVED = 'warn the certificate is valid for 0 more days';
const HSTS = { 'strict-transport-security': 'max-age=31536000' };

describe('the doctor, outside of a running service', () => {
  const gatehouse = useGatehouse();

  it('finds nothing wrong at the service itself', async () => {
    const examination = await examineOrigin(gatehouse.origin);
    expect(complaintsOf(examination)).toEqual([]);
    expect(examination.lines).toEqual(
      expect.arrayContaining([
        'ok /svc/auth/me answers: no user is signed in',
        `ok the resource is ${gatehouse.origin}/svc/mcp`,
        `ok the issuer is ${gatehouse.origin}`,
        'ok authorize refuses an unknown client',
        expect.stringMatching(/^ok a WebSocket upgrade at \/svc\/me\/tabs arrives; /),
      ]),
    );
  });

  it('says where nothing listens', async () => {
    const origin = `http://localhost:${await findFreePort()}`;
    expect((await examineOrigin(origin)).lines).toEqual([
      expect.stringContaining(`FAIL ${origin} cannot be reached: `),
    ]);
  });

  it.each(['gate.example', 'http://gate.example', 'https://ann:s3cret@gate.example', '--help'])(
    'takes no address such as %s',
    async (address) => {
      const { failed, text } = await examineOrigin(address);
      expect(failed).toBe(true);
      expect(text).toContain('give https://<host>');
      expect(text).not.toContain('s3cret');
    },
  );
});

describe('the doctor, outside of a proxy', () => {
  const certificate = selfSignedCertificate(['localhost']);
  const authorities = getCACertificates('default');
  let front: TlsFront;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    setDefaultCACertificates([...authorities, certificate.certificate]);
    front = await startTlsFront(certificate);
    const { origin } = front;
    gatehouse = await startGatehouse({ PUBLIC_ORIGINS: origin, TRUSTED_PROXIES: 'loopback' });
  });
  beforeEach(() => {
    front.settings.servicePort = gatehouse.port;
    front.settings.toVisitor = HSTS;
    front.settings.removed = [];
    front.settings.toService = { 'x-forwarded-proto': 'https', 'x-forwarded-host': front.host };
  });
  afterAll(async () => {
    setDefaultCACertificates(authorities);
    await front.stop();
    await gatehouse.stop();
  });

  it('warns only of the certificate behind a proxy that is right', async () => {
    expect(complaintsOf(await examineOrigin(front.origin))).toEqual([SHORT_LIVED]);
  });

  it('sees that upgrades are dropped on their way', async () => {
    front.settings.toService = { ...front.settings.toService, upgrade: undefined };
    const { failed, text } = await examineOrigin(front.origin);
    expect(failed).toBe(true);
    expect(text).toContain('FAIL  the proxy drops the WebSocket upgrade of /svc/me/tabs');
  });

  it('misses Strict-Transport-Security', async () => {
    front.settings.toVisitor = {};
    const { failed, text } = await examineOrigin(front.origin);
    expect(failed).toBe(false);
    expect(text).toContain('warn  there is no Strict-Transport-Security');
  });

  it.each([
    ['does not say that the visitor came by https', { 'x-forwarded-host': '' }],
    ['does not pass the host on', { host: 'gatehouse.internal' }],
  ])('says what to set in a proxy that %s', async (_what, toService) => {
    front.settings.toService = toService;
    const { failed, text } = await examineOrigin(front.origin);
    expect(failed).toBe(true);
    expect(text).toContain(
      `${front.origin}/svc/auth/me answers 421: the service sees another origin`,
    );
    expect(text).toContain('Host, X-Forwarded-Host and X-Forwarded-Proto');
  });

  it('tells a proxy that takes the way to the metadata out of the 401', async () => {
    front.settings.toVisitor = { ...HSTS, 'www-authenticate': 'Bearer' };
    expect(complaintsOf(await examineOrigin(front.origin))).toEqual([
      SHORT_LIVED,
      expect.stringMatching(/^FAIL the 401 of \/svc\/mcp has no WWW-Authenticate/),
    ]);
  });

  it.each([
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', "default-src 'self'"],
    ['X-Frame-Options', 'SAMEORIGIN'],
    ['Permissions-Policy', 'publickey-credentials-get=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Clear-Site-Data', '"cookies"'],
  ])('tells a proxy that sets %s on its pages', async (name, value) => {
    front.settings.toVisitor = { ...HSTS, [name.toLowerCase()]: value };
    expect(complaintsOf(await examineOrigin(front.origin))).toEqual([
      SHORT_LIVED,
      expect.stringContaining(`warn ${name} of /svc/account is ${value} where`),
    ]);
  });

  it('tells a proxy that takes the headers of pages away', async () => {
    front.settings.removed = ['referrer-policy', 'content-security-policy', 'x-frame-options'];
    expect(complaintsOf(await examineOrigin(front.origin))).toEqual([
      SHORT_LIVED,
      ...['Referrer-Policy', 'Content-Security-Policy', 'X-Frame-Options'].map((name) =>
        expect.stringContaining(`warn ${name} of /svc/account is missing where`),
      ),
    ]);
  });

  it('tells a proxy that does not reach the service', async () => {
    delete front.settings.servicePort;
    const { text } = await examineOrigin(front.origin);
    expect(text).toContain(`FAIL  ${front.origin}/svc/auth/me answers 502`);
  });

  it('tells a service that believes it is on http', async () => {
    const local = await startGatehouse();
    front.settings.servicePort = local.port;
    front.settings.toService = {};
    try {
      const { text } = await examineOrigin(front.origin);
      expect(text).toContain(`FAIL  the issuer is http://${front.host} and not ${front.origin}`);
    } finally {
      await local.stop();
    }
  });

  it('says what is wrong with a certificate', async () => {
    const stranger = await startTlsFront(selfSignedCertificate(['localhost']));
    try {
      expect((await examineOrigin(stranger.origin)).lines).toEqual([
        expect.stringContaining(
          `FAIL ${stranger.origin} cannot be reached: self-signed certificate`,
        ),
      ]);
    } finally {
      await stranger.stop();
    }
  });
});
