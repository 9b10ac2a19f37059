import { BetterAuthPerson } from '../driver/better-auth.mjs';
import { ours } from '../driver/ours.mjs';
import { comparedWith, durable } from '../driver/peers.mjs';
import { inTurn } from '../driver/rounds.mjs';

const asking = (server, request) => async () => {
  const { challenge } = await server.json(request);
  if (!challenge) throw new Error('no challenge');
};

const gatehouse = (server) =>
  asking(server, { method: 'POST', path: '/svc/auth/login/options', body: '{}' });
const betterAuth = (server) => asking(server, new BetterAuthPerson(server).loginOptions());

export const row = inTurn({
  operation: '`POST login/options`: a challenge to sign',
  sides: [
    ...ours({ prepare: gatehouse }, comparedWith({ 'better-auth': [] })),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
  ],
});
