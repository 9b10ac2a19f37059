export { onExchangeEnd } from './exchange-end.js';
export { HeldBytes, type Hold } from './held-bytes.js';
export { Load, type Overload } from './load.js';
export { LoopLag } from './loop-lag.js';
export { Paced } from './paced.js';
export { RequestLocal } from './request-local.js';
export { RequestMember } from './request-member.js';
export { type RequestWork, underWork, whileWaiting } from './request-work.js';
