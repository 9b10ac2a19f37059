import { requireNode } from './node-version.js';

requireNode();
const { start } = await import('./start.js');
await start();
