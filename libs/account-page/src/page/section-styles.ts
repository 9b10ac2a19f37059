/** What single sections have beside the style of the page: devices, codes, apps, activity, and what is urgent. */
export const sectionStyles = `
#recovered { border: 2px solid var(--accent); background: var(--tint); }
body:has(#recovered-todo:not([hidden])) :is(#add-passkey, #add-hint) { display: none; }
.device .icon { display: none; }
.device[data-kind='computer'] .computer, .device[data-kind='tablet'] .tablet, .device[data-kind='phone'] .phone { display: block; }
#recovered h2 { margin-bottom: 0.375rem; font-size: 1.25rem; }
.notice .acts button, #recovered .button { background: var(--card); }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16.5rem, 100%), 1fr)); gap: 0.25rem 1rem; margin: 0 0 1rem; padding: 0; list-style: none; font: min(0.9375rem, 3.8vw)/1.75 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.may { margin-top: 0.25rem; font-size: 0.9375rem; }
.scopes { margin: 0; padding-inline-start: 1.25rem; font-size: 0.9375rem; }
.event { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.event:last-child { padding-bottom: 0; border-bottom: 0; }
.event p { margin: 0; }
.event summary { display: inline-block; min-height: 0; padding: 0.25rem 0; color: var(--accent); text-decoration: underline; }
.event details p { padding: 0.25rem 0 0; }
@media print {
  [data-print='codes'] :is(header, footer, main > :not(#recovery-codes), #recovery-codes > [data-part] > :not(#new-codes), .acts) { display: none; }
}
`;
