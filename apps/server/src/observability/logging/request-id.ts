import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** The id of the request that is being handled, if one is. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

/** Does the work, and all that it starts, under a request id. */
export const underRequestId = <T>(id: string, work: () => T): T => requestIds.run(id, work);
