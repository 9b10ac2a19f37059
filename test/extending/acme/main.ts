import { createApp, readConfig } from '#server';
import { acme } from './acme.extension.js';

/** Starts the service with what Acme brings; the team's own entry file. */
export async function startAcme(variables: NodeJS.ProcessEnv = process.env) {
  const { listen, ...config } = readConfig(variables);
  const app = await createApp({ listen, ...config }, [acme]);
  await app.listen(listen.port, listen.host);
  return app;
}
