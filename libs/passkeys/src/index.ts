export type { Challenge } from './challenges/challenge.js';
export { ChallengeStore } from './challenges/challenge-store.js';
export { RedisChallengeStore } from './challenges/challenge-store.redis.js';
export { AccountCredentialsService } from './credentials/account-credentials.service.js';
export { passkeysMigrations } from './migrations/passkeys-migrations.js';
export { PasskeysAdministrationModule } from './passkeys-administration.module.js';
export { PasskeysModule } from './passkeys.module.js';
