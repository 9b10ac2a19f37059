/** System fonts, no images, both colour schemes; readable from 320 px on. */
export const commonStyle = `
:root {
  color-scheme: light dark;
  --page: #f3f5f7; --card: #fff; --text: #1a2027; --quiet: #525d69; --line: #d5dbe1;
  --accent: #1c5d86; --on-accent: #fff; --accent-hover: #164b6d; --tint: #eaf2f7;
  --warning: #fff6e0; --warning-line: #b97a00; --error: #9d2117;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161a; --card: #1b2127; --text: #e9edf1; --quiet: #aab4be; --line: #3a444e;
    --accent: #8cc7ec; --on-accent: #0c2231; --accent-hover: #abd7f3; --tint: #202c36;
    --warning: #332910; --warning-line: #d9a441; --error: #ffb0a6;
  }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 1rem 0.75rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  overflow-wrap: anywhere;
}
header, main { max-width: 42rem; margin: 0 auto; }
header { display: flex; padding: 0 0.25rem 0.25rem; font-weight: 600; }
header a { display: flex; align-items: center; gap: 0.5rem; min-width: 0; min-height: 2.5rem; color: inherit; text-decoration: none; }
header a:hover span { text-decoration: underline; }
header svg { flex: none; width: 1.5rem; height: 1.5rem; color: var(--accent); }
header .logo { max-width: 100%; }
header .logo svg { display: block; width: auto; max-width: 100%; height: 2.25rem; }
footer { max-width: 42rem; margin: 0.75rem auto 0; padding: 0 0.25rem; font-size: 0.875rem; }
footer ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
footer a { display: inline-block; padding: 0.625rem 0; color: var(--quiet); }
main { background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; padding: 1.25rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; line-height: 1.3; }
h2, legend { margin: 0; padding: 0; font-size: 1.0625rem; font-weight: 600; line-height: 1.4; }
p { margin: 0.25rem 0 0.75rem; }
section { margin-top: 1.5rem; }
.second { padding-top: 1.25rem; border-top: 1px solid var(--line); }
.other-way { margin: 0.25rem 0 0; }
.other-way a { display: inline-block; padding: 0.625rem 0; }
main > section:last-child > :last-child, form > :last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
dl { margin: 0; border: solid var(--line); border-width: 1px 0; padding: 0.375rem 0; }
dl > div { padding: 0.375rem 0; }
dt { color: var(--quiet); font-size: 0.875rem; }
dd { margin: 0; }
dd strong { font-weight: 600; }
.notice { margin-top: 1rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--tint); }
.warning { border-color: var(--warning-line); border-inline-start-width: 0.375rem; background: var(--warning); }
.notice p:last-child { margin-bottom: 0; }
details.notice { padding: 0; }
summary { min-height: 2.75rem; padding: 0.625rem 1rem; font-size: 0.9375rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.why { color: var(--accent); text-decoration: underline; white-space: nowrap; }
details[open] .why { display: none; }
details p { margin: 0; padding: 0 1rem 0.75rem; font-size: 0.9375rem; }
.status:empty, .fault:empty { display: none; }
.fault { color: var(--error); font-size: 0.9375rem; }
.status { margin: 1rem 0 0; padding: 0.625rem 1rem; border-inline-start: 0.25rem solid var(--accent); background: var(--tint); border-radius: 0.25rem; }
label, input { display: block; }
label { font-weight: 600; }
label .quiet { font-weight: 400; }
input:not([type]) {
  width: 100%; min-height: 2.75rem; margin: 0.25rem 0; padding: 0.5rem 0.75rem; font: inherit;
  color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 0.5rem;
}
input[aria-invalid='true'] { border: 2px solid var(--error); }
button {
  min-height: 2.75rem; padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--accent); background: transparent; border: 1px solid var(--accent); border-radius: 0.5rem;
}
button:hover { background: var(--tint); }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button.main:hover { background: var(--accent-hover); }
button:disabled, [aria-disabled='true'] { cursor: default; opacity: 0.6; }
button.wide { width: 100%; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
fieldset { margin: 1rem 0 0; padding: 0; border: 0; min-width: 0; }
fieldset > p { margin-bottom: 0.25rem; }
.scope { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; padding: 0.625rem 0; min-height: 2.75rem; border-bottom: 1px solid var(--line); font-weight: 400; cursor: pointer; }
.scope input { width: 1.375rem; height: 1.375rem; margin: 0.0625rem 0 0; accent-color: var(--accent); }
.choice { border-bottom: 1px solid var(--line); }
.choice .scope { border-bottom: 0; }
.ask { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; padding-inline-start: 2.125rem; font-weight: 400; cursor: pointer; }
.ask input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.scope:has(input:not(:checked)) + .ask { display: none; }
#presets { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.5rem 0; }
#presets button { padding-inline: 0.875rem; font-weight: 500; }
.description::first-letter { text-transform: uppercase; }
.details { grid-column: 2; color: var(--quiet); font-size: 0.875rem; }
mark { padding: 0 0.25rem; border: 1px solid var(--warning-line); border-radius: 0.25rem; color: var(--text); background: var(--warning); font: 0.8125em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; unicode-bidi: isolate; direction: ltr; }
code { font: 0.9375em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; direction: ltr; unicode-bidi: isolate; }
.account { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; margin: 0 0 0.5rem; }
.account p { margin: 0; }
.link { padding: 0.5rem 0; border-color: transparent; font-weight: 400; text-decoration: underline; }
.link:hover { background: transparent; }
.decision { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0 0; }
.decision button { flex: 1 1 9rem; }
.decision + p { margin-top: 0.75rem; }
#copy { margin-top: 0.5rem; }
#account-status { margin: 0 0 1rem; }
#new-account { margin-inline-start: auto; }
@media (min-width: 34rem) {
  body { padding-top: 1.5rem; }
  main { padding: 1.5rem 2rem; }
  .scope { grid-template-columns: auto 1fr auto; }
  .details { grid-column: 3; margin-top: 0.125rem; }
  .choice { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0 1rem; }
  .choice .scope { grid-template-columns: auto 1fr; }
  .choice .details { grid-column: 2; margin-top: 0; }
  .choice .ask { padding-inline-start: 0; }
  dl > div { display: grid; grid-template-columns: 8rem 1fr; gap: 0.75rem; align-items: baseline; }
}
@media (min-width: 46rem) {
  fieldset:has(#presets:not([hidden])) { position: relative; margin-top: 0.25rem; }
  fieldset:has(#presets:not([hidden])) legend { line-height: 2.75rem; }
  #presets { position: absolute; inset: -2.75rem 0 auto auto; margin: 0; }
  [dir='rtl'] #presets { inset: -2.75rem auto auto 0; }
}
@media (prefers-reduced-motion: no-preference) {
  button { transition: background-color 0.15s; }
  [data-busy] { animation: busy 1.6s ease-in-out infinite; }
  @keyframes busy { 50% { border-color: transparent; } }
}
`;
