// For scripts that import nothing else before it: an older Node cannot even link what they load then.
import { existsSync, readFileSync } from 'node:fs';

/** Ends the process with one line when nothing is installed, or its Node is older than package.json says. */
export function requireNode() {
  if (!existsSync(new URL('../node_modules/@nestjs/core/package.json', import.meta.url))) {
    console.error('The packages of Gatehouse are not installed: run npm ci first');
    process.exit(1);
  }
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const oldest = Number(engines.node.replace('>=', ''));
  const major = Number(process.version.slice(1).split('.')[0]);
  if (major >= oldest) return;
  console.error(
    `Gatehouse needs Node ${oldest} or later, and this is ${process.version}; use npm start, npm run demo or npm run doctor, which run the one that npm ci installs`,
  );
  process.exit(1);
}
