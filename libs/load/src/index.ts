export { onExchangeEnd } from './exchange-end.js';
export { Paced } from './paced.js';
export { RequestLocal } from './request-local.js';
export { RequestMember } from './request-member.js';
export { RequestWork, underWork, whileWaiting } from './request-work.js';
