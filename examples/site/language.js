import { texts as german } from './texts/de.js';
import { texts as hebrew } from './texts/he.js';

/** By language; English is what stands in the pages themselves. */
const TEXTS = { en: {}, de: german, he: hebrew };

/** As on the pages of the service: what a link asks for with `ui_locales`, else what the browser wants. */
const asked = new URLSearchParams(location.search).get('ui_locales')?.split(' ') ?? [];
const language =
  [...asked, ...navigator.languages]
    .map((tag) => tag.split('-')[0].toLowerCase())
    .find((tag) => Object.hasOwn(TEXTS, tag)) ?? 'en';
const texts = TEXTS[language];

document.documentElement.lang = language;
document.documentElement.dir = language === 'he' ? 'rtl' : 'ltr';
translateMarkup();

/** A text in the language of the page, with its `{words}` filled in. Its key is the English text, which it falls back to. */
export function t(text, values = {}) {
  const told = Object.hasOwn(texts, text) ? texts[text] : text;
  return told.replaceAll(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The texts that stand in the page, and its title; the space around them stays. */
function translateMarkup() {
  const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    node.data = node.data.replace(/\S[^]*\S|\S/, (text) => t(text.replaceAll(/\s+/g, ' ')));
  }
  for (const named of document.querySelectorAll('[aria-label]')) {
    named.setAttribute('aria-label', t(named.getAttribute('aria-label')));
  }
}
