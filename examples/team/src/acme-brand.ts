import type { Brand } from 'gatehouse/ui-templates';

/** All pages in the team's colours. */
export const brand: Brand = {
  style: ':root { --accent: #8a1538; --on-accent: #fff; }',
  emblem: '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" /></svg>',
  links: [
    { label: 'Imprint', texts: { de: 'Impressum' }, href: 'https://acme.example/imprint' },
    { label: 'Privacy', texts: { de: 'Datenschutz' }, href: '/privacy' },
  ],
};
