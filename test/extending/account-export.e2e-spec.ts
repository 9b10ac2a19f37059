import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { AccountExport, type Extension } from '#server';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { startTeamApp } from './team-app.js';

type Ask = (userId: string) => Promise<Record<string, unknown>>;

let ask: Ask;

@Injectable()
class TeamExport extends AccountExport {
  override dataOf(userId: string) {
    return ask(userId);
  }
}

const team: Extension = {
  gatehouse: 1,
  replacements: { accountExport: [{ provide: AccountExport, useClass: TeamExport }] },
};

describe('the data that a team keeps of an account (contract: Own account)', () => {
  const gatehouse = useGatehouse(() => startTeamApp(team));
  let browser: Browser;
  let id: string;

  const exported = async () => browser.get('/svc/me/export');
  const run = (extensions: readonly Extension[]) =>
    new Admin(gatehouse, extensions).run('users', 'export', id);

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    id = (await browser.me()).user?.id ?? '';
  });

  it('is in the export, and on the command line with the extension', async () => {
    ask = async (userId) => ({ team: { of: userId }, other: [1] });
    const extensions = { team: { of: id }, other: [1] };
    expect((await exported()).json()).toMatchObject({ extensions });
    expect(JSON.parse((await run([team])).stdout)).toMatchObject({ extensions });
    expect(JSON.parse((await run([])).stdout)).toMatchObject({ extensions: {} });
  });

  const failures: [string, Ask][] = [
    ['rejects', () => Promise.reject(new Error('their database is away'))],
    ['is no JSON', async () => ({ team: 1n })],
    ['is nothing', async () => undefined as never],
    ['is no object', async () => [] as never],
  ];
  it.each(failures)(
    '503 | it %s | nothing is sent, and the reason is not told',
    async (_how, fail) => {
      ask = fail;
      const answer = await exported();
      expect([answer.status, answer.json()]).toEqual([
        503,
        { error: expect.stringMatching(/^service unavailable \(request /) },
      ]);
      const { code, stdout, stderr } = await run([team]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^TeamExport failed: .+\n$/);
    },
  );

  describe('by an entity of their module', () => {
    const made: string[] = [];

    class Notes0001Migration1795305600900 {
      name = 'Notes0001Migration1795305600900';

      async up(runner: QueryRunner) {
        await runner.query('CREATE TABLE acme_notes (user_id VARCHAR(64) PRIMARY KEY, note TEXT)');
      }

      async down() {}
    }

    const notes = (): Extension => {
      @Entity('acme_notes')
      class NoteEntity {
        @PrimaryColumn('varchar', { name: 'user_id' }) userId!: string;
        @Column('text') note!: string;
      }
      @Injectable()
      class Worker implements OnModuleInit {
        onModuleInit() {
          made.push('Worker');
        }
      }
      @Injectable()
      class NotesExport extends AccountExport {
        constructor(private readonly dataSource: DataSource) {
          super();
        }

        override async dataOf(userId: string) {
          const found = this.dataSource.getRepository(NoteEntity);
          await found.upsert({ userId, note: 'from the command line' }, ['userId']);
          return { notes: await found.findBy({ userId }) };
        }
      }
      @Module({})
      class NotesModule {}
      const imports = () => [TypeOrmModule.forFeature([NoteEntity])];
      return {
        gatehouse: 1,
        modules: () => [
          Promise.resolve().then(() => ({
            module: NotesModule,
            imports: imports(),
            providers: [Worker],
          })),
        ],
        migrations: [Notes0001Migration1795305600900],
        replacements: { accountExport: [{ provide: AccountExport, useClass: NotesExport }] },
      };
    };

    it('is in that of the command line, which runs nothing of the module', async () => {
      const { migrations } = notes();
      const own = await startTeamApp({ migrations: migrations ?? [] });
      const person = new Browser(own);
      await person.signUp('Ann');
      const userId = (await person.me()).user?.id ?? '';
      const text = await new Admin(own, [notes()]).text('users', 'export', userId);
      const extensions = { notes: [{ userId, note: 'from the command line' }] };
      expect(JSON.parse(text)).toMatchObject({ extensions });
      expect(made).toEqual([]);
      await own.stop();
    });

    it('is not there before their migration ran, and one line says so', async () => {
      const answer = await run([notes()]);
      expect([answer.code, answer.stdout]).toEqual([1, '']);
      expect(answer.stderr).toMatch(/^the database of DATABASE_URL lacks migrations .+\n$/);
    });
  });

  it('of Acme is read from the table of its own', async () => {
    const own = await startTeamApp(acme);
    const person = new Browser(own);
    await person.signUp('Ann');
    await person.send('PUT', '/acme/me/greetings', { count: 3 });
    const extensions = { acme: { greetings: 3 } };
    expect((await person.get('/svc/me/export')).json()).toMatchObject({ extensions });
    const user = (await person.me()).user?.id ?? '';
    const text = await new Admin(own, [acme]).text('users', 'export', user);
    expect(JSON.parse(text)).toMatchObject({ extensions });
    await own.stop();
  });
});
