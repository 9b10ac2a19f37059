import { blocked } from '../client/client-block.store.js';

/** SQL: whether the client of a grant `g` is blocked. */
export const IS_BLOCKED = blocked('g.client_id', 'g.redirect_host');

export const NOT_BLOCKED = `NOT ${IS_BLOCKED}`;
