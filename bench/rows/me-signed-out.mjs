import { ours } from '../driver/ours.mjs';
import { inTurn } from '../driver/rounds.mjs';

export const row = inTurn({
  operation: '`GET me`, signed out: the cheapest success there is',
  sides: ours({ prepare: (server) => () => server.ask({ path: '/svc/auth/me' }) }),
});
