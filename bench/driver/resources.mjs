// The service with two resources beside its own, one with JWTs, and with machine clients.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { MAIN, onPostgresAndRedis, onSqlite, ours } from './ours.mjs';
import { comparedWith } from './peers.mjs';

const SECRET = 'the secret of a server';
export const NOTES = { resource: 'https://notes.example/mcp', scope: 'notes:read' };
export const REPORTS = { resource: 'https://reports.example/mcp', scope: 'reports:read' };
/** What the server of NOTES identifies itself with. */
export const NOTES_SERVER = ['notes-server', SECRET];

const listed = ({ resource, scope }, more) => ({
  resource,
  name: scope,
  scopes: [{ name: scope, description: `use ${scope}` }],
  ...more,
});

function settings(stores) {
  const secretSha256 = createHash('sha256').update(SECRET).digest('hex');
  const introspection = { clientId: NOTES_SERVER[0], secretSha256 };
  const resources = [
    listed(NOTES, { tokens: 'opaque', introspection }),
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
