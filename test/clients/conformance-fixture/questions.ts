import { createMessage, elicit, type QuestionReply } from '#libs/mcp';

export const askName = (message: string) =>
  elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  });

export const ask = (text: string) =>
  createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

export const GREETING = ask('Generate a greeting');

export const CONFIRM = elicit({
  message: 'Please confirm',
  requestedSchema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
  },
});

interface Answer {
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A field of the form that the person submitted; undefined otherwise. */
export const answerOf = ({ inputResponses }: QuestionReply, key: string, field: string): unknown =>
  (inputResponses[key] as Answer | undefined)?.content?.[field];
