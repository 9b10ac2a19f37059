export function isStale(entry: URL): boolean;
export function builtEntry(path: string): string;
