import { requireNode } from '../node-version.js';

requireNode();
const { runDoctor } = await import('./run-doctor.js');
await runDoctor(process.argv.slice(2));
