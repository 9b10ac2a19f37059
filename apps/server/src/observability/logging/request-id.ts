import { RequestLocal } from '#libs/load';

const requestIds = new RequestLocal<string>();

/** The id of the request that is being handled, if one is. */
export const currentRequestId = (): string | undefined => requestIds.get();

/** Begins a request: does the work, and all that it starts, under its id. */
export const underRequestId = <T>(id: string, work: () => T): T => requestIds.run(id, work);
