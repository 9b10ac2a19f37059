import { send } from '#libs/ui-templates/page-script';
import type { Account } from './account.js';
import { browserWords } from './browser-words.js';

interface Sessions {
  readonly sessions: readonly { readonly current: boolean; readonly browser: string | null }[];
}

/** What the service calls this browser, as the page shows it; empty where it has no name for it. */
export async function thisBrowser({ texts }: Account): Promise<string> {
  try {
    const { sessions } = await send<Sessions>('GET', '/svc/me/sessions');
    const browser = sessions.find(({ current }) => current)?.browser ?? '';
    return browserWords(browser, texts.page.browser);
  } catch {
    return '';
  }
}
