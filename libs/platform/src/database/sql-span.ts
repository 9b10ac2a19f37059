import type { SpanDescription } from '../trace/trace.js';

const SYSTEMS = { postgres: 'postgresql', sqlite: 'sqlite' };

/** The supported databases, by TypeORM's names of their types. */
type Database = keyof typeof SYSTEMS;

const VERB = /^\s*([A-Za-z]{1,16})/;

/** For a named statement: its text may be recorded, because it has placeholders instead of values. */
export const namedSqlSpan = (type: Database, name: string, text: string): SpanDescription => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': SYSTEMS[type], 'db.query.summary': name, 'db.query.text': text },
  isLeaf: true,
});

/** For any other statement: only its verb is recorded, because its text may contain values. */
export function sqlSpan(type: Database, text: string): SpanDescription {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': SYSTEMS[type], 'db.operation.name': verb };
  return { name: verb, kind: 'client', attributes, isLeaf: true };
}
