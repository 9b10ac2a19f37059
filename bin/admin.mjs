// Administers the service on the database of DATABASE_URL.
import { requireNode } from './require-node.mjs';

requireNode();
const { builtEntry } = await import('./build-when-stale.mjs');
await import(builtEntry('admin/main.js'));
