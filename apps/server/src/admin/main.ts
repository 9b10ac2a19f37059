import { requireNode } from '../node-version.js';

requireNode();
const [{ runAdmin }, { processTerminal }] = await Promise.all([
  import('./run-admin.js'),
  import('./process-terminal.js'),
]);
process.exit(await runAdmin(process.argv.slice(2), processTerminal()));
