import { DataSource, EntitySchema, type QueryRunner } from 'typeorm';
import type { Schema } from './sqlite/sqlite.data-source.js';
import { isUniqueViolation } from '../outage.js';

interface Note {
  text: string;
  edits: number;
}

export const NoteEntity = new EntitySchema<Note>({
  name: 'note',
  columns: { text: { type: 'varchar', primary: true }, edits: { type: 'int', default: 0 } },
});

class Notes0001Migration1700000000001 {
  async up(runner: QueryRunner) {
    await runner.query(
      'CREATE TABLE note (text VARCHAR PRIMARY KEY, edits INT NOT NULL DEFAULT 0)',
    );
    await runner.query(
      'CREATE TABLE reply (note VARCHAR REFERENCES note (text) DEFERRABLE INITIALLY DEFERRED)',
    );
  }

  async down() {}
}

export const noteSchema: Schema = {
  entities: [NoteEntity],
  migrations: [Notes0001Migration1700000000001],
};

export const writeNote = (target: Pick<DataSource, 'query'>, text: string) =>
  target.query(`INSERT INTO note (text) VALUES ('${text}')`);

/** The committed texts. */
export async function notesIn(dataSource: Pick<DataSource, 'query'>): Promise<string[]> {
  const rows: Note[] = await dataSource.query('SELECT text FROM note ORDER BY text');
  return rows.map(({ text }) => text);
}

/** A promise and the way to settle it. */
export const gate = () => Promise.withResolvers<void>();

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** What our data source promises on SQLite: the behaviour of a connection pool on Postgres. */
export function itIsPooled(
  open: () => Promise<{ dataSource: DataSource; close(): Promise<void> }>,
) {
  let dataSource: DataSource;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ dataSource, close } = await open());
    await dataSource.runMigrations();
  });

  afterEach(() => close());

  it('keeps what others commit and write while a transaction that fails is open', async () => {
    const [opened, othersAsked] = [gate(), gate()];
    const first = dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      opened.resolve();
      await othersAsked.promise;
      throw new Error('changed my mind');
    });
    await opened.promise;
    const second = dataSource.transaction((manager) => writeNote(manager, 'b'));
    const plain = writeNote(dataSource, 'c');
    const saved = dataSource.manager.save(NoteEntity, { text: 'd' });
    othersAsked.resolve();

    await expect(first).rejects.toThrow('changed my mind');
    await Promise.all([second, plain, saved]);
    expect(await notesIn(dataSource)).toEqual(['b', 'c', 'd']);
  });

  it('keeps exactly what was committed of 200 transactions at once', async () => {
    const outcomes = await Promise.allSettled(
      numbers(200).map((n) =>
        dataSource.transaction(async (manager) => {
          await manager.insert(NoteEntity, { text: `t${n}` });
          await manager.update(NoteEntity, { text: `t${n}` }, { edits: n });
          if (n % 2) throw new Error('odd');
        }),
      ),
    );

    const committed = numbers(200).filter((n) => n % 2 === 0);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    const notes = await dataSource.manager.find(NoteEntity);
    expect(notes.map(({ edits }) => edits).toSorted((a, b) => a - b)).toEqual(committed);
  });

  it('saves and removes while transactions around it fail', async () => {
    await Promise.allSettled(
      numbers(40).flatMap((n) => [
        dataSource.manager.save(NoteEntity, { text: `kept ${n}` }),
        dataSource.transaction(async (manager) => {
          await manager.save(NoteEntity, { text: `lost ${n}` });
          throw new Error('never mind');
        }),
        dataSource.manager
          .save(NoteEntity, { text: `removed ${n}` })
          .then((note) => dataSource.getRepository(NoteEntity).remove(note)),
      ]),
    );

    expect(await notesIn(dataSource)).toEqual(
      numbers(40)
        .map((n) => `kept ${n}`)
        .toSorted(),
    );
  });

  it('rolls a nested transaction back by itself', async () => {
    await dataSource.transaction(async (outer) => {
      await writeNote(outer, 'outer');
      const inner = outer.transaction(async (nested) => {
        await writeNote(nested, 'inner');
        throw new Error('only the inner one');
      });
      await expect(inner).rejects.toThrow('only the inner one');
      await outer.transaction((nested) => writeNote(nested, 'second inner'));
    });

    expect(await notesIn(dataSource)).toEqual(['outer', 'second inner']);
  });

  it('shows the rows of an open transaction to no other reader, and blocks no reader', async () => {
    await dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      expect(await notesIn(manager)).toEqual(['a']);
      expect(await notesIn(dataSource)).toEqual([]);
    });

    expect(await notesIn(dataSource)).toEqual(['a']);
  });

  it('goes on after a commit that failed', async () => {
    const orphan = dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      await manager.query("INSERT INTO reply (note) VALUES ('nowhere')");
    });

    await expect(orphan).rejects.toThrow(/foreign key/i);
    await dataSource.transaction((manager) => writeNote(manager, 'b'));
    expect(await notesIn(dataSource)).toEqual(['b']);
  });

  it('gives every runner a life of its own', async () => {
    const [one, two] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await one.startTransaction();
    await writeNote(one, 'a');

    expect(two.isTransactionActive).toBe(false);
    expect(await notesIn(two)).toEqual([]);
    await two.release();
    await expect(two.query('SELECT 1')).rejects.toThrow('released');

    await one.commitTransaction();
    await one.release();
    expect(await notesIn(dataSource)).toEqual(['a']);
  });

  it('tells a row that is there already from other violations', async () => {
    await writeNote(dataSource, 'a');
    const failures = ["('a', 0)", "('b', NULL)"].map((values) =>
      dataSource.query(`INSERT INTO note (text, edits) VALUES ${values}`).catch(isUniqueViolation),
    );
    expect(await Promise.all(failures)).toEqual([true, false]);
  });

  it('answers RETURNING with rows and counts what it changed', async () => {
    await writeNote(dataSource, 'a');
    const returned = await dataSource.query(
      "INSERT INTO note (text) VALUES ('b'), ('c') RETURNING text",
    );
    expect(returned).toEqual([{ text: 'b' }, { text: 'c' }]);

    const notes = dataSource.getRepository(NoteEntity);
    expect(await notes.update({ edits: 0 }, { edits: 1 })).toMatchObject({ affected: 3 });
    expect(await notes.update({ edits: 0 }, { edits: 1 })).toMatchObject({ affected: 0 });
    expect(await notes.delete({ text: 'a' })).toMatchObject({ affected: 1 });
  });
}
