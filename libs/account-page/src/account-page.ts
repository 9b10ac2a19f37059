import { account } from '#page-scripts';
import { html, inlineScript, type Page, page, type SiteContext } from '#libs/ui-templates';
import { scriptTexts } from './account-texts.js';
import { dialog } from './page/dialog.js';
import { sectionStyles } from './page/section-styles.js';
import { style } from './page/style.js';
import { activitySection } from './sections/activity.js';
import { appsSection, type GrantedAccess } from './sections/apps.js';
import { budgetSection } from './sections/budget.js';
import { deletionSection } from './sections/deletion.js';
import { passkeysSection } from './sections/passkeys.js';
import { profileSection } from './sections/profile.js';
import { recoveredSection } from './sections/recovered.js';
import { recoveryCodesSection } from './sections/recovery-codes.js';
import { sessionsSection } from './sections/sessions.js';
import { page as words } from './texts/page.js';

export interface AccountContext extends SiteContext {
  readonly user: { readonly id: string; readonly displayName: string };
  /** When the session began, in epoch seconds, if it began with a recovery. */
  readonly recoveredAt?: number | undefined;
  /** Without it scopes are shown by their names. */
  readonly access?: GrantedAccess;
}

const script = inlineScript(account);

/** In the order in which people see them; start-account.ts has their scripts. */
const sections = ({ origin, recoveredAt, access = { scopes: [] } }: AccountContext) => [
  recoveredAt === undefined ? '' : recoveredSection(recoveredAt),
  passkeysSection,
  recoveryCodesSection,
  sessionsSection,
  appsSection(origin, access),
  activitySection,
  budgetSection,
  deletionSection,
];

/** For whoever is signed in. Its script asks for what the sections show, and brings them up to date. */
export function accountPage(context: AccountContext): Page {
  return page(context, {
    title: html`${words.title}`,
    script: { code: script, texts: scriptTexts },
    style: style + sectionStyles,
    main: html`${profileSection(context.user)}
      <noscript><p class="notice warning">${words.noScript}</p></noscript>
      ${sections(context)}
      <p id="status" class="toast" role="status"></p>
      ${dialog('question')} ${dialog('sign-in-again')}`,
  });
}
