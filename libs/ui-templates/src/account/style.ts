/** The account page: several cards instead of one, lists and dialogs; then styles of single sections. */
export const accountStyle = `
main { padding: 0; background: none; border: 0; }
.card { margin: 0 0 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; }
.card > :last-child, .card > div > :last-child { margin-bottom: 0; }
.card:target { border-color: var(--accent); }
h2:focus, h1:focus { outline: none; }
h2:focus-visible, h1:focus-visible { outline: 3px solid var(--accent); outline-offset: 4px; border-radius: 0.25rem; }
.who { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: 0.75rem 1rem; }
.who h1 { margin: 0; text-align: start; }
.who #overview { grid-column: 1 / -1; min-height: 1.5em; margin: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 0 0.75rem; padding: 0 0.25rem; list-style: none; font-size: 0.9375rem; }
nav a { display: inline-block; padding: 0.375rem 0; }
.initial { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 50%; font-size: 1.375rem; font-weight: 600; color: var(--on-accent); background: var(--accent); overflow: hidden; }
.who .acts { grid-column: 1 / -1; }
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.acts > :is(button, .button) { padding-inline: 0.875rem; font-weight: 500; border-color: var(--line); }
.rows { list-style: none; margin: 0.75rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.row { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 0.875rem; padding: 0.875rem 0; border-bottom: 1px solid var(--line); }
.row:last-child, .event:last-child { padding-bottom: 0; border-bottom: 0; }
.row .acts { grid-column: 2; }
.row p, .event p { margin: 0; }
.row p:empty { display: none; }
h3 { margin: 0; font-size: 1rem; }
.what { min-width: 0; }
.name { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.5rem; font-weight: 600; }
.icon { width: 1.5rem; height: 1.5rem; color: var(--quiet); }
.badge { display: inline-block; padding: 0 0.5rem; border-radius: 1rem; font-size: 0.8125rem; font-weight: 500; color: var(--text); background: var(--tint); border: 1px solid var(--line); }
.card .decision { margin-top: 1.25rem; }
.card .decision > * { flex: 0 1 auto; }
.decision + .quiet { margin: 0.5rem 0 0; }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0.5rem 1.25rem; font-weight: 600; text-decoration: none; border: 1px solid var(--accent); border-radius: 0.5rem; }
.button:hover { background: var(--tint); }
button.danger { color: var(--error); border-color: var(--error); }
button.main.danger { color: var(--card); background: var(--error); }
.skeleton { display: flex; align-items: center; min-height: 5rem; color: var(--quiet); }
.skeleton span { animation: appear 0.5s step-end; }
@keyframes appear { from { visibility: hidden; } }
.figure { margin: 0.75rem 0 0.5rem; font-weight: 600; }
.gauge { display: block; width: 100%; margin: 0 0 0.5rem; accent-color: var(--accent); }
.fault, .waiting { margin: 0.75rem 0 0; }
.waiting { color: var(--quiet); }
.waiting:empty, .toast:empty { display: none; }
.toast { position: fixed; inset: auto 0.75rem 1rem; width: fit-content; max-width: calc(100% - 1.5rem); margin: 0 auto; padding: 0.75rem 1.25rem; color: var(--page); background: var(--text); border-radius: 0.5rem; pointer-events: none; }
dialog { width: min(30rem, 100% - 1.5rem); max-height: calc(100% - 1.5rem); padding: 1.25rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; overflow: auto; }
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
dialog[open]:has(~ dialog[open]) { visibility: hidden; }
dialog h2 { margin-bottom: 0.5rem; font-size: 1.1875rem; }
dialog .decision { justify-content: flex-end; }
@media (scripting: none) { .skeleton { display: none; } }
@media (min-width: 34rem) {
  .card { padding: 1.5rem 2rem; }
  .who { grid-template-columns: auto 1fr auto; }
  .who .acts { grid-area: 1 / 3; }
  .who #overview { grid-area: 2 / 2 / auto / -1; margin-top: -0.75rem; }
  .row { grid-template-columns: auto 1fr auto; align-items: start; }
  .row .acts { grid-column: 3; }
  dialog { padding: 1.5rem; }
  dialog .decision button { flex: 0 1 auto; }
}

#requests, #recovered { border: 2px solid var(--accent); background: var(--tint); }
body:has(#recovered-todo:not([hidden])) :is(#add-passkey, #add-hint) { display: none; }
.device .icon { display: none; }
.device[data-kind='computer'] .computer, .device[data-kind='tablet'] .tablet, .device[data-kind='phone'] .phone { display: block; }
#recovered h2 { margin-bottom: 0.375rem; font-size: 1.25rem; }
.notice .acts button, #recovered .button, #requests .button { background: var(--card); }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16.5rem, 100%), 1fr)); gap: 0.25rem 1rem; margin: 0 0 1rem; padding: 0; list-style: none; font: min(0.9375rem, 3.8vw)/1.75 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.may { margin-top: 0.25rem; font-size: 0.9375rem; }
.scopes { margin: 0; padding-inline-start: 1.25rem; font-size: 0.9375rem; }
.event { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.event summary { display: inline-block; min-height: 0; padding: 0.25rem 0; color: var(--accent); text-decoration: underline; }
.event details p { padding: 0.25rem 0 0; }
@media print {
  [data-print='codes'] :is(header, footer, main > :not(#recovery-codes), #recovery-codes > [data-part] > :not(#new-codes), .acts) { display: none; }
}
`;
