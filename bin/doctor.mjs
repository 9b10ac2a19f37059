// Checks the configuration, or with an origin as argument the service that is deployed there.
import { builtEntry } from './build-when-stale.mjs';

await import(builtEntry('doctor/main.js'));
