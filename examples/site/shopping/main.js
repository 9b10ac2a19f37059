import { create, element, say } from '../elements.js';
import { t } from '../language.js';

const MOST_ITEMS = 50;
const items = [];

function show() {
  element('items').replaceChildren(...items.map((text) => create('li', { text })));
}

/** What is thrown is a sentence that people and models understand. */
function add(item) {
  const text = item.trim();
  if (text === '') throw new Error('Say what to buy.');
  if (items.length >= MOST_ITEMS) throw new Error('The list is full.');
  items.push(text);
  show();
  return { items };
}

/** A form with `toolname` is a tool: the browser fills it in and submits it. */
element('add').addEventListener('submit', (event) => {
  event.preventDefault();
  try {
    const answer = add(element('item').value);
    say('');
    // Resetting the form would cancel the call.
    element('item').value = '';
    if (event.agentInvoked) event.respondWith(Promise.resolve(answer));
  } catch ({ message }) {
    say(t(message), 'error');
    if (event.agentInvoked) event.respondWith(Promise.resolve({ refused: message }));
  }
});

const TOOLS = [
  {
    name: 'read_list',
    description: 'Reads the shopping list that the user sees.',
    annotations: { readOnlyHint: true },
    execute: () => ({ items }),
  },
  {
    name: 'remove_item',
    description: 'Removes an item from the shopping list, named as read_list tells it.',
    inputSchema: {
      type: 'object',
      properties: { item: { type: 'string', maxLength: 80 } },
      required: ['item'],
      additionalProperties: false,
    },
    execute({ item }) {
      const at = items.indexOf(item);
      // Some browsers hide the message of an error, so the refusal is a result.
      if (at < 0) return { refused: 'There is no such item. Call read_list for what there is.' };
      items.splice(at, 1);
      show();
      return { items };
    },
  },
];

if (document.modelContext) {
  element('webmcp').textContent = t('Assistants that you’ve connected can use this page.');
  for (const tool of TOOLS) await document.modelContext.registerTool(tool);
}
