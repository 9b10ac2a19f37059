import type { Browser } from './browser.js';

const CONNECTIONS = '/svc/me/connections';

/** Changes the newest connection of a signed-in browser's account, as its person does. */
export async function changeConnection(browser: Browser, change: object): Promise<void> {
  const { connections } = (await browser.get(CONNECTIONS)).json<{
    connections: { id: string }[];
  }>();
  const path = `${CONNECTIONS}/${connections[0]?.id}`;
  const answer = await browser.send('PATCH', path, change);
  if (answer.status !== 200) throw new Error(`not changed: ${answer.status} ${answer.text}`);
}
