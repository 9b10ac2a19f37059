// @simplewebauthn/server alone: one response verified again and again, with nothing stored or looked up.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';

async function verify({ response, challenge, origin, publicKey }) {
  const { verified } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: 'localhost',
    credential: { id: response.id, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
  });
  if (!verified) throw new Error('not verified');
}

createServer(async (request, response) => {
  const { times = 0, ...signed } = JSON.parse((await text(request)) || '{}');
  for (let n = 0; n < times; n += 1) await verify(signed);
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
