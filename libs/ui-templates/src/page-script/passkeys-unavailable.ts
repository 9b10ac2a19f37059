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
    // An embedded browser may have no clipboard.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(location.href))
      .then(
        () => say(texts.copied),
        () => say(texts.copyYourself),
      );
  });
}

/** Links to this page under `localhost`; the app's `resource` parameter changes with the origin. */
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
