import type { ScriptTexts } from '../texts/en.js';
import { document, location, navigator } from './dom.js';
import { control, element, say } from './elements.js';

export function offerOtherBrowser(texts: ScriptTexts) {
  const link = control('link');
  const copy = control('copy');
  link.value = location.href;
  copy.disabled = false;
  element('unsupported').hidden = false;
  copy.addEventListener('click', () => {
    link.select();
    // In an embedded browser there may be no clipboard at all.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(location.href))
      .then(
        () => say(texts.copied),
        () => say(texts.copyYourself),
      );
  });
}

/** The page's own address by name; what the app asked for has to move along with it. */
export function offerLocalhost() {
  const link = document.getElementById('localhost-link');
  if (link === null) return;
  const { href, origin, hostname } = location;
  const there = origin.replace(hostname, 'localhost');
  const resource = 'resource=' + encodeURIComponent(origin);
  link.setAttribute(
    'href',
    href.replace(origin, there).replace(resource, 'resource=' + encodeURIComponent(there)),
  );
}
