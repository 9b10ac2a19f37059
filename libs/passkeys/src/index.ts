export * from './public.js';
export { RedisChallengeStore } from './challenge/challenge.store.redis.js';
export { passkeysMigrations } from './migrations/passkeys-migrations.js';
export { PasskeysAdministrationModule, PasskeysModule } from './passkeys.module.js';
