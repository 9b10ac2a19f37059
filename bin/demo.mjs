// Serves examples/site in front of the service, both on one origin, as a site of your own would be.
import { requireNode } from './require-node.mjs';

requireNode();
const { serveDemo } = await import('./serve-demo.mjs');
await serveDemo();
