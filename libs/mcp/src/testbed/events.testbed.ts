/** The messages of an event stream as they arrive, without comments. */
export async function* messagesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Record<string, unknown>;
    }
  }
}

/** All messages of an event stream, after it has ended. */
export async function allMessagesOf(response: Response) {
  const messages: Record<string, unknown>[] = [];
  for await (const message of messagesOf(response)) messages.push(message);
  return messages;
}
