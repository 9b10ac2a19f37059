#!/usr/bin/env node
import { requireNode } from './node-version.js';

requireNode();
const { runGatehouse } = await import('./cli/gatehouse.js');
await runGatehouse(process.argv.slice(2));
