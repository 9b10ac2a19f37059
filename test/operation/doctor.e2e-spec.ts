import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import { startGatehouse } from '../support/gatehouse.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const PROXIED = { PUBLIC_ORIGINS: 'https://gate.example', TRUSTED_PROXIES: 'loopback' };
describe('the doctor, on a healthy configuration', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await storageForTests();
  });
  afterAll(() => storage.dispose());

  it('finds nothing that fails', async () => {
    expect((await examineConfiguration(storage.environment)).failed).toBe(false);
  });

  it('names the pending migrations and runs none; afterwards says that none is pending', async () => {
    const fresh = await storageForTests();
    const migrationLines = async () =>
      (await examineConfiguration(fresh.environment)).lines.filter((line) =>
        /migration|sqlite does not exist yet/.test(line),
      );
    try {
      const before = await migrationLines();
      expect(before).toContainEqual(
        globalThis.STORAGE === 'postgres'
          ? expect.stringMatching(/^ok migration Accounts0001\w+ will run at the next start$/)
          : expect.stringContaining('does not exist yet'),
      );
      expect(await migrationLines()).toEqual(before);
      await (await startGatehouse(fresh.environment)).stop();
      expect(await migrationLines()).toEqual(['ok no migration is pending']);
    } finally {
      await fresh.dispose();
    }
  });

  it('leaves a running service alone', async () => {
    const gatehouse = await startGatehouse(storage.environment);
    try {
      const { failed, lines } = await examineConfiguration(storage.environment);
      expect({ failed, lines }).toEqual({
        failed: false,
        lines: expect.arrayContaining(['ok no migration is pending']),
      });
      const answer = await fetch(`${gatehouse.origin}/svc/auth/login/options`, { method: 'POST' });
      expect(answer.status).toBe(200);
    } finally {
      await gatehouse.stop();
    }
  });
});

const embedded = globalThis.STORAGE === 'embedded';

(embedded ? describe : describe.skip)(
  'the doctor, on SQLite alone (skipped where storage is another)',
  () => {
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const examineFile = (path: string, variables: Record<string, string> = {}) =>
      examineConfiguration({ ...variables, DATABASE_URL: `sqlite:${path}` });

    it('leaves nothing behind in the folder of the database', async () => {
      const { failed } = await examineFile(join(folder, 'data', 'gate.sqlite'));
      expect(failed).toBe(false);
      expect(await readdir(folder)).toEqual([]);
    });

    it.each<[string, (path: string) => Promise<unknown>, string]>([
      ['the folder is a file', (path) => writeFile(dirname(path), ''), 'ENOTDIR'],
      ['the database is a folder', (path) => mkdir(path, { recursive: true }), 'SQLITE_'],
    ])('fails when %s', async (_what, make, reason) => {
      const path = join(folder, 'data', 'gate.sqlite');
      await make(path);
      const { failed, lines } = await examineFile(path);
      expect(failed).toBe(true);
      expect(lines).toContainEqual(
        expect.stringContaining(`FAIL ${path} cannot be used: ${reason}`),
      );
    });

    const asRoot = process.getuid?.() === 0;
    const itAsUser = asRoot ? it.skip : it;
    itAsUser(
      'fails when the folder is not writable (skipped for root, who may write)',
      async () => {
        await chmod(folder, 0o500);
        expect(complaintsOf(await examineFile(join(folder, 'gate.sqlite')))).toEqual([
          expect.stringContaining('cannot be used: EACCES'),
        ]);
      },
    );

    it('warns of a file and a folder that are open to others, until the service has closed the file', async () => {
      const path = join(folder, 'gate.sqlite');
      await writeFile(path, '', { mode: 0o644 });
      await chmod(folder, 0o755);
      const about = (what: string, mode: number) =>
        `warn ${what} is open to other users of this machine (mode ${mode})`;
      const complaints = async () => complaintsOf(await examineFile(path));
      expect(await complaints()).toEqual([about(folder, 755), about(path, 644)]);
      await (await startGatehouse({ DATABASE_URL: `sqlite:${path}` })).stop();
      expect(await complaints()).toEqual([about(folder, 755)]);
      await chmod(folder, 0o750);
      expect(await complaints()).toEqual([]);
    });

    it('fails when the file is no database', async () => {
      const path = join(folder, 'gate.sqlite');
      const text = 'not a database, but long enough to be looked at as one';
      await writeFile(path, text, { mode: 0o600 });
      expect(complaintsOf(await examineFile(path))).toEqual([
        expect.stringContaining(`FAIL ${path} cannot be used: SQLITE_NOTADB`),
      ]);
    });

    it('says that an https origin is never seen without a trusted proxy', async () => {
      const { failed, lines } = await examineFile(join(folder, 'gate.sqlite'), {
        PUBLIC_ORIGINS: 'https://gate.example',
      });
      expect(failed).toBe(true);
      expect(lines).toContainEqual(
        expect.stringMatching(
          /^FAIL TRUSTED_PROXIES is unset, so https:\/\/gate\.example will never/,
        ),
      );
    });

    it('never prints the key of the screening webhook', async () => {
      const { text } = await examineFile(join(folder, 'gate.sqlite'), {
        ...PROXIED,
        SCREENING_WEBHOOK_URL: 'http://user:s3cret@screen.example/?key=s3cret',
      });
      expect(text).toContain('SCREENING_WEBHOOK_URL');
      expect(text).not.toContain('s3cret');
    });
  },
);
