import { type Fragment, type Html, html, localTimes, page, type Page } from '#libs/ui-templates';
import type { ConsoleSession } from './session.service.js';

/** What the pages of a request have in common. */
export interface View {
  readonly serviceName: string;
  readonly origin: string;
  /** The path and query that was asked for. */
  readonly address: string;
  /** Undefined on a page for people who are not signed in. */
  readonly session?: ConsoleSession;
}

export interface SignedInView extends View {
  readonly session: ConsoleSession;
}

/** What the address asks for. */
export const queryOf = ({ address }: View) => new URLSearchParams(address.split('?')[1] ?? '');

const SECTIONS = {
  '/console': 'Overview',
  '/console/accounts': 'Accounts',
  '/console/apps': 'Apps',
  '/console/invites': 'Invites',
  '/console/trail': 'Trail',
  '/console/deliveries': 'Deliveries',
  '/console/settings': 'Settings',
};

export function consolePage(view: View, title: string, main: Fragment, status = 200): Page {
  const { session, address } = view;
  return page(view, {
    status,
    title: html`${title}`,
    script: localTimes,
    style,
    main: html`${session ? top(session, address.split('?')[0] ?? '') : ''}
      <h1>${title}</h1>
      ${main}`,
  });
}

/** Authenticates a form of the session. */
export const formToken = (session: ConsoleSession): Html =>
  html`<input type="hidden" name="token" value="${session.formToken}" />`;

function top(session: ConsoleSession, path: string): Html {
  const links = Object.entries(SECTIONS).map(([to, text]) => {
    const isHere = to === '/console' ? path === to : path.startsWith(to);
    return html`<li><a href="${to}" ${isHere ? html`aria-current="page"` : ''}>${text}</a></li>`;
  });
  return html`<nav aria-label="Console">
    <ul>
      ${links}
    </ul>
    <form method="POST" action="/console/sign-out" class="who">
      <span class="quiet">${session.name} (${session.role})</span>
      ${formToken(session)}
      <button type="submit" class="link">Sign out</button>
    </form>
  </nav>`;
}

/** `to` is where it leads; `fault` says why an earlier try failed. */
export const signInPage = (view: View, to: string, fault?: string, status = 200): Page =>
  consolePage(
    view,
    'Sign in to the console',
    html`${fault === undefined ? '' : html`<p class="notice warning" role="alert">${fault}</p>`}
      <form method="POST" action="/console/sign-in" class="card">
        <input type="hidden" name="to" value="${to}" />
        <label for="name">Name of the token</label>
        <input id="name" name="name" required autocomplete="username" autocapitalize="none" />
        <label for="value">Token</label>
        <input
          id="value"
          name="value"
          type="password"
          required
          autocomplete="current-password"
          aria-describedby="value-hint"
        />
        <p id="value-hint" class="quiet">
          An administration token of this service. The value of ADMIN_TOKEN has the name admin-api.
        </p>
        <button type="submit" class="main">Sign in</button>
      </form>`,
    status,
  );

const style = `
header, main { max-width: 72rem; }
main { padding: 0; background: none; border: 0; }
h1 { margin: 0.5rem 0 1rem; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.625rem 0; }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; border-bottom: 3px solid var(--accent); }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
.card { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; }
details.card { padding-block: 0.25rem; }
details.card[open] { padding-bottom: 1rem; }
h2 { margin-bottom: 0.5rem; }
h3 { margin: 0 0 0.5rem; font-size: 1rem; }
.table { overflow-x: auto; }
time { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; overflow-wrap: normal; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; white-space: nowrap; }
td { max-width: 24rem; overflow-wrap: anywhere; min-width: 6.5rem; }
tr:last-child td { border-bottom: 0; }
td dl { border: 0; padding: 0; }
dl { border: 0; }
input[type='password'], select, textarea { display: block; width: 100%; min-height: 2.75rem; margin: 0.25rem 0; padding: 0.5rem 0.75rem; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 0.5rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.25rem 1rem; align-items: start; }
.filters .quiet { margin: 0; padding: 0; font-size: 0.8125rem; }
.filters + button { margin-top: 0.75rem; }
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.75rem 0; }
.button { white-space: nowrap; display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0.5rem 0.875rem; font-weight: 500; text-decoration: none; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
.button:hover { background: var(--tint); }
.danger { color: var(--error); }
button.main.danger { color: var(--card); background: var(--error); border-color: var(--error); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: 1rem; }
.figure { margin: 0; min-width: 0; }
.chart { display: block; width: 100%; height: 4rem; border-bottom: 1px solid var(--line); }
.chart rect { fill: var(--accent); }
td .acts { margin: 0; }
summary { padding: 0.625rem 0; min-height: 0; color: var(--accent); text-decoration: underline; }
td summary { padding: 0; min-height: 1.5rem; }
.turning { display: flex; gap: 1.25rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.875rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
`;
