import type { OwnLimits } from './own-limits.sql.js';

/** For services without a database: everybody has the limit of all. */
export const nobodysOwnLimits = () => ({ find: async () => undefined }) as unknown as OwnLimits;
