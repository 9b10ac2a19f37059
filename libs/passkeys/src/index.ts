export * from './public.js';
export { RedisChallengeStore } from './challenge/challenge.store.redis.js';
export { ConfirmationsService } from './confirmation/confirmation.service.js';
export { CredentialStore } from './credential/credential.store.js';
export { toPasskey } from './credential/passkey.controller.js';
export { passkeysMigrations } from './migrations/passkeys-migrations.js';
export { PasskeysAdministrationModule, PasskeysModule } from './passkeys.module.js';
