/** When each replica last renewed its lease, in Redis' milliseconds. */
export const REPLICAS = 'tabs:replicas';

/** The tabs of an account: `replica:tab` to JSON. */
export const tabsOf = (userId: string) => `tabs:of:${userId}`;

/** What the pages in the tabs of an account offer: `replica:tab` to JSON. */
export const toolsOf = (userId: string) => `tabs:tools:${userId}`;

/** The shared names of those tools, and which have the suffix: `replica:tab` to JSON. */
export const namesOf = (userId: string) => `tabs:names:${userId}`;

/** The accounts that a replica has tabs of. */
export const accountsAt = (replicaId: string) => `tabs:at:${replicaId}`;

/** What the fields of all tabs of a replica begin with. */
export const ownedBy = (replicaId: string) => `${replicaId}:`;

export const fieldOf = (replicaId: string, tabId: string) => `${ownedBy(replicaId)}${tabId}`;
