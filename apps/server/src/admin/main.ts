import { requireNode } from '../node-version.js';

requireNode();
const { runAdmin } = await import('./run-admin.js');
await runAdmin(process.argv.slice(2));
