import { paint, speak } from './stage.js';

const MAX_COLOR_LENGTH = 100;
const MAX_TEXT_LENGTH = 500;
/** CSS takes these where a colour goes, but they are none. */
const NO_COLOR = /^(inherit|initial|unset|revert|revert-layer)$|\b(var|env|attr|if)\(/i;

/**
 * What apps may have this tab do, by the `method` of `call_tab`. An app is somebody else's program, and
 * a language model may be choosing the arguments: check every one of them, and offer nothing here that
 * you would not let a stranger do. Whatever is thrown reaches the model, so it says what to do instead.
 */
const methods = {
  set_color({ color }) {
    const text = typeof color === 'string' ? color.trim() : '';
    const isColor = text.length <= MAX_COLOR_LENGTH && CSS.supports('color', text);
    if (!isColor || NO_COLOR.test(text)) {
      throw new Error('color has to be a CSS colour, such as teal, #1c5d86 or hsl(40 90% 50%).');
    }
    paint(text);
    return { color: text };
  },

  get_title() {
    return { title: document.title };
  },

  say({ text }, app) {
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
      throw new Error(`text has to be a text of 1 to ${MAX_TEXT_LENGTH} characters.`);
    }
    speak(app, text);
    return { said: true };
  },
};

/** Runs the method; throws an Error with a sentence for the app when it cannot. */
export function perform({ method, params, app }) {
  const given = params ?? {};
  // Not `methods[method]`: there would be a "constructor" too.
  if (!Object.hasOwn(methods, method)) {
    throw new Error(`This page has no such method. It has: ${Object.keys(methods).join(', ')}.`);
  }
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new Error('params has to be an object.');
  }
  return methods[method](given, app);
}
