import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hostIdentity } from '#libs/oauth/testing';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { jsonFile } from '../support/json-file.js';
import { MACHINES } from '../support/machine-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

describe('the doctor, with trusted issuers', () => {
  const trusted = getCACertificates('default');
  let storage: TestStorage;
  let idp: IdentityProvider;

  beforeAll(async () => {
    const identity = hostIdentity();
    setDefaultCACertificates([...trusted, identity.certificate]);
    storage = await storageForTests();
    idp = await IdentityProvider.start(identity);
  });
  afterAll(async () => {
    await idp.stop();
    await storage.dispose();
    setDefaultCACertificates(trusted);
  });

  const entry = (tenant: string, members = {}) => ({
    issuer: idp.issuer(tenant),
    name: tenant,
    clients: ['app'],
    scopes: ['account:read'],
    accounts: 'linked',
    privateNetwork: true,
    ...members,
  });
  const examine = (...entries: object[]) =>
    examineConfiguration({
      ...storage.environment,
      ...MACHINES,
      TRUSTED_ISSUERS_FILE: jsonFile(entries),
    });

  it('names the keys of each, found by its metadata or at jwksUri', async () => {
    await idp.rotate('acme');
    const jwksUri = `${idp.issuer('globex')}/keys`;
    const examination = await examine(entry('acme'), entry('globex', { jwksUri }));
    expect(complaintsOf(examination)).toEqual([]);
    expect(examination.lines).toEqual(
      expect.arrayContaining([
        `ok the keys of acme at ${idp.issuer('acme')}: 2`,
        `ok the keys of globex at ${idp.issuer('globex')}: 1`,
      ]),
    );
  });

  it('fails where one does not answer, or is another', async () => {
    await idp.configure('acme', { answers: false });
    await idp.configure('globex', { more: { issuer: 'https://evil.example' } });
    const examination = await examine(entry('acme'), entry('globex'));
    expect(complaintsOf(examination)).toEqual([
      expect.stringMatching(/^FAIL the keys of acme cannot be had: .*status 503/),
      expect.stringMatching(/^FAIL the keys of globex cannot be had: .*names another issuer/),
    ]);
    expect(examination.failed).toBe(true);
  });
});
