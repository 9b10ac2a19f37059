export { AccountTurns } from './limits/account-turns.js';
export { AccountTurnsModule } from './limits/account-turns.module.js';
export { type FixedWindow, type RateLimiter } from './limits/rate-limiter.js';
export { InProcessRateLimiter } from './limits/rate-limiter.in-process.js';
export { RedisRateLimiter } from './limits/rate-limiter.redis.js';
export { roomAsNeeded } from './limits/room-as-needed.js';
export { Semaphore } from './limits/semaphore.js';
export { type Flow, TokenBucket, TokenBuckets } from './limits/token-bucket.js';
