import { sides } from '../driver/machine-tokens.mjs';
import { REPORTS } from '../driver/resources.mjs';
import { inTurn } from '../driver/rounds.mjs';

export const row = inTurn({
  operation: '`client_credentials`, JWT: signed by ES256, by better-auth with Ed25519',
  sides: sides(REPORTS, 'jwt', [{ server: 0.6 }, { server: 0.6 }]),
});
