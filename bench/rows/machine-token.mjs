import { sides } from '../driver/machine-tokens.mjs';
import { NOTES } from '../driver/resources.mjs';
import { inTurn } from '../driver/rounds.mjs';

export const row = inTurn({
  operation: '`client_credentials`, opaque: the token is on the disk',
  sides: sides(NOTES, 'opaque', [{ server: 1.1 }, { server: 0.7, stores: 0.67 }]),
});
