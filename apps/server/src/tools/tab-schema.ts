export const MAX_CALL_MS = 30_000;

export const TAB = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'What send_message and call_tab take as `tab`.' },
    title: { type: 'string', description: "The page's title; empty until the page has said it." },
    url: { type: 'string', description: "The page's address; empty until the page has said it." },
    connectedAt: { type: 'string', format: 'date-time' },
    tools: {
      type: 'array',
      description:
        'What the page offers: call_tab takes the name as its method. All tools have a description, or none has.',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string', description: "The page's words." },
        },
        required: ['name'],
      },
    },
  },
  required: ['id', 'title', 'url', 'connectedAt', 'tools'],
} as const;

/** The id of a tab in arguments; the ids that the hub creates are shorter. */
export const TAB_ID = { type: 'string', minLength: 1, maxLength: 128 } as const;
