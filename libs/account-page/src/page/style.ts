/** The account page: cards of their own instead of one. */
export const style = `
main { padding: 0; background: none; border: 0; }
.card { margin: 0 0 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; }
.skeleton { min-height: 3rem; }
.gauge { display: block; width: 100%; height: 0.5rem; border-radius: 0.25rem; }
.gauge .whole { fill: var(--line); }
.gauge .part { fill: var(--accent); }
`;
