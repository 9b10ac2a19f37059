import { Injectable } from '@nestjs/common';
import { type McpCaller, McpPrompt } from 'gatehouse/mcp';

/** What people choose from a list in their client. */
@Injectable()
export class BirthdayPrompt {
  @McpPrompt({
    name: 'acme_birthday',
    title: 'Birthday greeting',
    description: 'Writes a birthday greeting.',
    scope: 'acme:greet',
    arguments: [
      { name: 'to', description: 'Whose birthday it is.', required: true },
      { name: 'tone', description: 'How it sounds.', values: ['warm', 'funny'] },
    ],
  })
  birthday({ to, tone = 'warm' }: { to: string; tone?: string }, { user }: McpCaller) {
    return `Write a ${tone} birthday greeting from ${user.displayName} to ${to}.`;
  }
}
