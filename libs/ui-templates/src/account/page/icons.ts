import { type Html, html } from '../../html/html.js';

const icon = (path: Html, kind = '') =>
  html`<svg
    class="icon ${kind}"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${path}
  </svg>`;

export const keyIcon = icon(
  html`<circle cx="8" cy="15" r="4.5" /> <path d="m11.5 11.5 8-8M15.5 7.5l3 3" />`,
);

export const appIcon = icon(
  html`<path d="M9 7V3.5M15 7V3.5M6 7h12v4.5a6 6 0 0 1-12 0zM12 17.5v3" />`,
);

/** One icon for each kind of device; the style shows the one that `data-kind` of their parent selects. */
export const deviceIcons = [
  icon(
    html`<rect x="3" y="4.5" width="18" height="12" rx="1.5" /> <path d="M8.5 20h7M12 16.5V20" />`,
    'computer',
  ),
  icon(html`<rect x="4.5" y="3" width="15" height="18" rx="2" /> <path d="M11 18h2" />`, 'tablet'),
  icon(html`<rect x="7" y="2.5" width="10" height="19" rx="2" /> <path d="M11 18.5h2" />`, 'phone'),
];
