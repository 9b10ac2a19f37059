import { element } from './elements.js';

/** Shows the colour as a band above the page, and as a tint behind it that text stays readable on. */
export function paint(color) {
  document.documentElement.style.setProperty('--chosen', color);
  element('color').textContent = color;
}

export function speak(app, text) {
  element('said').textContent = `${app} says: ${text}`;
}

export function clearStage() {
  document.documentElement.style.removeProperty('--chosen');
  element('color').textContent = 'none yet';
  element('said').textContent = '';
}
