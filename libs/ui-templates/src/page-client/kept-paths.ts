const KEPT = new Set(['/svc/client.js', '/svc/client.d.ts']);

/** Whether browsers may cache this path, so that they may revalidate it. */
export const isKept = (path: string): boolean => KEPT.has(path);
