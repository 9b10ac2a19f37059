// Checks the configuration, or with an origin as argument the service that is deployed there.
import { requireNode } from './require-node.mjs';

requireNode();
const { builtEntry } = await import('./build-when-stale.mjs');
await import(builtEntry('doctor/main.js'));
