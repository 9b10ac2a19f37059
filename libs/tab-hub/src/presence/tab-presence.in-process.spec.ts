import { AccountTurns } from '#libs/platform';
import { liveHeapBytes } from '#libs/platform/testing';
import type { PageTool } from '../protocol/page-tool.js';
import { describeNotesOfOffers, describeTabPresence } from './tab-presence.contract.js';
import { InProcessTabPresence } from './tab-presence.in-process.js';
import { OfferNotes } from './tab-presence.js';

describe('InProcessTabPresence', () => {
  const open = async () => {
    const presence = new InProcessTabPresence();
    return { replicas: [presence, presence], close: async () => {} } as const;
  };

  describeTabPresence(open);

  describe('and notes on offers', () => {
    describeNotesOfOffers(open);
  });

  it('notes and parses lists in a turn of their account', async () => {
    const turns = new AccountTurns();
    const presence = new InProcessTabPresence(turns);
    const notes = new OfferNotes();
    const tab = { id: 'tab', title: '', url: '', connectedAt: '', toolNames: [] };
    await presence.add('ada', tab);
    jest.spyOn(turns, 'take').mockRejectedValue(new Error('it is the turn of others'));
    jest.spyOn(notes, 'decide');
    for (const work of [presence.offer('ada', tab, [], notes), presence.tools('ada')])
      await expect(work).rejects.toThrow('turn of others');
    await expect(presence.find('ada', tab.id)).rejects.toThrow('turn of others');
    expect(notes.decide).not.toHaveBeenCalled();
  });

  it('takes little more memory than the JSON of what pages offer', async () => {
    const presence = new InProcessTabPresence();
    const notes = new OfferNotes();
    const before = await liveHeapBytes();
    let characters = 0;
    for (let tabs = 0; tabs < 32; tabs += 1) {
      const tools = manySmallParts(tabs);
      const tab = { id: `${tabs}`, title: '', url: '', connectedAt: '', toolNames: [] };
      await presence.add('user', tab);
      await presence.offer('user', tab, tools, notes);
      characters += JSON.stringify(tools).length;
    }
    expect((await liveHeapBytes()) - before).toBeLessThan(2 * characters);
    expect((await presence.tools('user')).at(-1)?.tools).toEqual(manySmallParts(9));
  });
});

/** As objects they take more than three times as much as their JSON. */
const manySmallParts = (tab: number): PageTool[] =>
  Array.from({ length: 32 }, (_, n) => ({
    name: `tool${n}`,
    description: 'x',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 36 }, (_part, part) => [`p${part}of${tab}`, { enum: [part, n] }]),
      ),
    },
  }));
