/** A tab in a result. */
export const TAB = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'What send_message and call_tab take as `tab`.' },
    title: { type: 'string', description: "The page's title; empty until the page has said it." },
    url: { type: 'string', description: "The page's address; empty until the page has said it." },
    connectedAt: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'title', 'url', 'connectedAt'],
};

/** The id of a tab in arguments; ours are shorter. */
export const TAB_ID = { type: 'string', minLength: 1, maxLength: 128 };
