const KEPT = new Set(['/svc/client.js', '/svc/client.d.ts']);

/** Whether browsers may keep what is at this path, so that they may ask whether it has changed. */
export const isKept = (path: string): boolean => KEPT.has(path);
