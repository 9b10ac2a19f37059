import { blocked } from '../clients/blocks/blocked.sql.js';

/** SQL of a grant `g`: whether its client is kept out. */
export const IS_BLOCKED = blocked('g.client_id', 'g.redirect_host');

export const NOT_BLOCKED = `NOT ${IS_BLOCKED}`;
