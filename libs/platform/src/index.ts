export { type FixedWindow, type RateLimiter } from './limits/rate-limiter.js';
export { InProcessRateLimiter } from './limits/rate-limiter.in-process.js';
export { RedisRateLimiter } from './limits/rate-limiter.redis.js';
