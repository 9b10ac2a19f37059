import { element } from '../elements.js';
import { t } from '../language.js';

/** Shows the colour as a band above the page, and as a tint behind it that text stays readable on. */
export function paint(color) {
  document.documentElement.style.setProperty('--chosen', color);
  element('color').textContent = color;
}

export function speak(app, text) {
  element('said').textContent = t('{app} says: {text}', { app, text });
}

export function clearStage() {
  document.documentElement.style.removeProperty('--chosen');
  element('color').textContent = t('none yet');
  element('said').textContent = '';
}
