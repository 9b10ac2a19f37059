import { registerTool } from '/svc/client.js';
import { t } from '../language.js';
import { paint, speak } from './stage.js';

const MAX_COLOR_LENGTH = 100;
const MAX_TEXT_LENGTH = 500;
/** CSS takes these where a colour goes, but they are none. */
const NO_COLOR = /^(inherit|initial|unset|revert|revert-layer)$|\b(var|env|attr|if)\(/i;

/**
 * What the assistants of the signed-in user may do with this page. An app is another party's program,
 * and a language model may be choosing the arguments: a schema says what it takes, the rest is checked here,
 * and nothing is offered that you would not let a stranger do. Whatever is thrown reaches the model, so it
 * says what to do instead.
 */
const tools = [
  {
    name: 'set_color',
    title: 'Color the page',
    description: 'Colors the page that the user sees, until it is closed.',
    inputSchema: textSchema('color', 'A CSS color, such as teal or #1c5d86.', MAX_COLOR_LENGTH),
    execute({ color }) {
      const text = typeof color === 'string' ? color.trim() : '';
      const isColor = text.length <= MAX_COLOR_LENGTH && CSS.supports('color', text);
      if (!isColor || NO_COLOR.test(text)) {
        throw new Error('color must be a CSS color, such as teal, #1c5d86 or hsl(40 90% 50%).');
      }
      paint(text);
      return { color: text };
    },
  },
  {
    name: 'get_title',
    title: 'Read the title',
    description: 'Tells the title that the user gave to this tab.',
    annotations: { readOnlyHint: true },
    execute: () => ({ title: document.title }),
  },
  {
    name: 'say',
    title: 'Say something',
    description: 'Shows a sentence to the user on the page, with the name of who says it.',
    inputSchema: textSchema('text', 'What to say.', MAX_TEXT_LENGTH),
    execute({ text }, { app }) {
      if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
        throw new Error(`text must be 1 to ${MAX_TEXT_LENGTH} characters long.`);
      }
      speak(app ?? t('Your browser'), text);
      return { said: true };
    },
  },
];

function textSchema(name, description, maxLength) {
  return {
    type: 'object',
    properties: { [name]: { type: 'string', description, maxLength } },
    required: [name],
    additionalProperties: false,
  };
}

export const registerTools = () => Promise.all(tools.map((tool) => registerTool(tool)));
