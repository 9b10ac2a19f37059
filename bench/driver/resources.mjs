// The service with resources beside its own, one with JWTs, and with machine clients.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { MAIN, onPostgresAndRedis, onSqlite, ours } from './ours.mjs';
import { comparedWith } from './peers.mjs';

const SECRET = 'the secret of a server';
/** With a server each: one may ask 6,000 times a minute, and the service takes 32 resources. */
export const ALL_NOTES = Array.from({ length: 31 }, (_, n) => ({
  resource: `https://notes-${n}.example/mcp`,
  scope: `notes-${n}:read`,
  server: [`notes-server-${n}`, SECRET],
}));
export const [NOTES] = ALL_NOTES;
export const REPORTS = { resource: 'https://reports.example/mcp', scope: 'reports:read' };

const listed = ({ resource, scope }, more) => ({
  resource,
  name: scope,
  scopes: [{ name: scope, description: `use ${scope}` }],
  ...more,
});

function settings(stores) {
  const secretSha256 = createHash('sha256').update(SECRET).digest('hex');
  const resources = [
    ...ALL_NOTES.map((notes) => {
      const [clientId] = notes.server;
      return listed(notes, { tokens: 'opaque', introspection: { clientId, secretSha256 } });
    }),
    listed(REPORTS, { tokens: 'jwt' }),
  ];
  const variables = {
    RESOURCES_FILE: stores.file(),
    SIGNING_KEYS_FILE: stores.file(),
    MACHINE_CLIENTS: 'on',
  };
  writeFileSync(variables.RESOURCES_FILE, JSON.stringify(resources));
  execFileSync(process.execPath, [MAIN, 'admin', 'keys', 'rotate', '--yes'], { env: variables });
  return { variables };
}

/** Both sides of ours with these resources; `peers` are for `comparedWith`. */
export function oursWithResources(prepare, peers) {
  const { sqlite, postgres } = comparedWith(peers);
  return ours(
    { prepare },
    {
      sqlite: { ...sqlite, start: (stores) => onSqlite(stores, settings(stores)) },
      postgres: { ...postgres, start: (stores) => onPostgresAndRedis(stores, settings(stores)) },
    },
  );
}

/** A machine client for a resource of these: its id and secret. */
export async function machine(server, { resource, scope }) {
  const about = ['--name', 'Robot', '--resource', resource, '--scope', scope];
  const made = await server.admin('clients', 'create', '--machine', ...about);
  return [made.clientId, made.clientSecret];
}
