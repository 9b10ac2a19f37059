// The command gatehouse in a checkout, built before where that is due: npm start, npm run doctor and so on.
import { requireNode } from './require-node.mjs';

requireNode();
const { builtEntry } = await import('./build-when-stale.mjs');
await import(builtEntry('main.js'));
