import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { Admin } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const DOCUMENT = new URL('../../docs/administration.md', import.meta.url);
const EXAMPLE = /^```console\n\$ npm run --silent admin -- (.+)\n([^]*?)^```$/gm;

/** What the document calls the account of its examples. */
const ANN = 'lq2gVYVmQbyAnn0Kx3dZ9w';

/** Apart from what is different every time, and from how wide columns are. */
const plain = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
    .replaceAll(/\blocalhost:\d+/g, '<host>')
    .replaceAll(/ +/g, ' ');

describe('docs/administration.md (contract: Administration)', () => {
  let gatehouse: Gatehouse;
  let names: [documented: string, real: string][];

  const inDocument = (text: string) =>
    names.reduce((so, [documented, real]) => so.replaceAll(real, documented), text);
  const inReality = (text: string) =>
    names.reduce((so, [documented, real]) => so.replaceAll(documented, real), text);

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    const { user } = (await new Browser(gatehouse).signUp()).json<{ user: { id: string } }>();
    names = [[ANN, user.id]];
  });
  afterAll(() => gatehouse.stop());

  it('shows what every command prints, one after the other', async () => {
    const admin = new Admin(gatehouse);
    const examples = [...readFileSync(DOCUMENT, 'utf8').matchAll(EXAMPLE)];
    expect(examples.length).toBeGreaterThan(4);
    for (const [, command = '', documented = ''] of examples) {
      const printed = inDocument(await admin.text(...inReality(command).split(' ')));
      const asRoot = printed.replaceAll(` ${userInfo().username} `, ' root ');
      expect([command, plain(asRoot)]).toEqual([command, plain(documented)]);
    }
  });
});
