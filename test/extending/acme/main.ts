import { start } from '#server';
import { acme } from './acme.extension.js';

await start([acme]);
