/** The oldest major version that the service is tested with; `engines` in package.json says the same. */
export const OLDEST_NODE = 24;

/** Ends the process where its Node is too old, before anything is loaded that such a Node cannot even link. */
export function requireNode(version = process.version): void {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major >= OLDEST_NODE) return;
  process.stderr.write(
    `Gatehouse needs Node ${OLDEST_NODE} or later, and this is ${version}; in a checkout, npm start and npm run doctor use the one that npm ci installs\n`,
  );
  process.exit(1);
}
