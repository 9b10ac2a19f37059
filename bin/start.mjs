// Serves the built service.
import { builtEntry } from './build-when-stale.mjs';

await import(builtEntry('main.js'));
