import type { SpanDescription } from '../trace/trace.js';

const SYSTEMS = { postgres: 'postgresql', sqlite: 'sqlite' };

/** The two that there are; TypeORM's type of a data source names them so. */
type Database = keyof typeof SYSTEMS;

const VERB = /^\s*([A-Za-z]{1,16})/;

/** Of a statement that has a name: its text holds placeholders where the values are. */
export const namedSqlSpan = (type: Database, name: string, text: string): SpanDescription => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': SYSTEMS[type], 'db.query.summary': name, 'db.query.text': text },
  isLeaf: true,
});

/** Of any other: no more than what it does is told, since there may be values in its text. */
export function sqlSpan(type: Database, text: string): SpanDescription {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': SYSTEMS[type], 'db.operation.name': verb };
  return { name: verb, kind: 'client', attributes, isLeaf: true };
}
