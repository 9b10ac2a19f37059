import { execFile } from 'node:child_process';
import { builtFile } from '../support/built-file.js';
import { startGatehouse } from '../support/gatehouse.js';
import { sqliteForTests } from '../support/services/storage-for-tests.js';

/** Runs the built doctor with only these variables. */
function runDoctor(variables: Readonly<Record<string, string>>, ...args: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [builtFile('main.js'), 'doctor', ...args],
      { env: variables },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const embedded = globalThis.STORAGE === 'embedded';

(embedded ? describe : describe.skip)(
  'npm run doctor (runs with the embedded storage only)',
  () => {
    it('checks its configuration, in plain ASCII, and ends as its lines say', async () => {
      const database = await sqliteForTests();
      const { code, stdout } = await runDoctor({ DATABASE_URL: database.url });
      await database.dispose();
      expect(stdout).toMatch(/^[\n\u0020-\u007E]*$/);
      expect(stdout).toContain('\nDatabase\n');
      expect(code).toBe(stdout.includes('  FAIL  ') ? 1 : 0);
    });

    it('ends with 0 when nothing fails', async () => {
      const gatehouse = await startGatehouse();
      const { code, stdout, stderr } = await runDoctor({}, gatehouse.origin);
      await gatehouse.stop();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('  ok    authorize refuses an unknown client\n');
      expect(stdout).toContain('\nNothing is wrong.\n');
    });

    it('ends with 1 when something fails', async () => {
      const { code, stdout } = await runDoctor({}, 'http://gate.example');
      expect(code).toBe(1);
      expect(stdout).toContain('  FAIL  the address is no origin');
    });

    it('with bad values, says what the start of the service says', async () => {
      const { code, stdout, stderr } = await runDoctor({ PORT: 'http', REDIS_URL: 'cache' });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^PORT takes /),
        expect.stringMatching(/^REDIS_URL takes /),
      ]);
    });
  },
);
