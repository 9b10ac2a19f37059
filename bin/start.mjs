// Serves the built service.
import { requireNode } from './require-node.mjs';

requireNode();
const { builtEntry } = await import('./build-when-stale.mjs');
await import(builtEntry('main.js'));
