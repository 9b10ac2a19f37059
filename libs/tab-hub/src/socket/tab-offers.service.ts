import { Injectable } from '@nestjs/common';
import { AccountTurns, SchemaChecks, Throttle } from '#libs/platform';
import { TabBus, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { LIST_GAP_MS } from '../hub/account-hub.js';
import { OfferNotes, TabPresence } from '../presence/tab-presence.js';
import { badMessage, FrameError } from '../protocol/frame-fields.js';
import { digestOf, type PageTool } from '../protocol/page-tool.js';
import { TabConnectionsService } from './tab-connections.service.js';
import type { TabOffer, TabSocket } from './tab-socket.js';

/** After which the next tool gets a turn of its own. */
const TURN_MS = 2;

@Injectable()
export class TabOffersService {
  constructor(
    private readonly checks: SchemaChecks,
    private readonly connections: TabConnectionsService,
    private readonly presence: TabPresence,
    private readonly bus: TabBus,
    private readonly notes: OfferNotes,
    private readonly turns: AccountTurns,
  ) {}

  /** Checks the schemas in the worker, by the account's turns. @throws FrameError `bad_message` for an unusable one */
  async check({ userId }: TabSocket, tools: readonly PageTool[]): Promise<void> {
    const given = tools.flatMap(({ name, inputSchema, outputSchema }, n) =>
      Object.entries({ inputSchema, outputSchema }).flatMap(([member, schema]) =>
        schema ? { schema, name, at: `data.tools[${n}].${member}` } : [],
      ),
    );
    if (given.length === 0) return;
    const schemas = given.map(({ schema }) => schema);
    const { fault, at = -1 } = await this.checks.faultAmong(userId, schemas);
    if (fault === undefined) return;
    const which = given[at]?.at ?? 'the schemas of data.tools';
    throw badMessage(`${which} cannot be used: ${fault}`, given[at]?.name);
  }

  /**
   * Replaces what the page offers; the list is published at once, which this waits for, or a quarter of a second after
   * the one before. Its page is told once which of the tools apps are not shown.
   */
  async replace(tab: TabSocket, tools: readonly PageTool[]): Promise<void> {
    const offer = (tab.offer ??= this.begin(tab));
    const digest = digestOf(tools);
    if (digest === offer.digest) return;
    offer.digest = digest;
    offer.wanted = tools;
    await offer.changes.trigger();
    await this.tellUnlisted(tab, tools);
  }

  private async tellUnlisted(tab: TabSocket, tools: readonly PageTool[]) {
    let beganAt = -Infinity;
    for (const tool of tools.filter(({ inputSchema }) => inputSchema)) {
      if (performance.now() - beganAt > TURN_MS) {
        await this.turns.take(tab.userId);
        beganAt = performance.now();
      }
      const reason = this.notes.unlisted(tool);
      if (reason === undefined) continue;
      const message = `the tool ${tool.name} is not listed for apps: ${reason}`;
      tab.refuse(new FrameError('unlisted', message, undefined, tool.name));
    }
  }

  private begin(tab: TabSocket): TabOffer {
    const changes = new Throttle(LIST_GAP_MS, () => this.publish(tab, offer));
    const offer: TabOffer = { digest: tab.offerDigest, wanted: [], changes };
    return offer;
  }

  private async publish(tab: TabSocket, offer: TabOffer) {
    const tools = offer.wanted;
    // The presence keeps the list from now on, so the tab needs no copy.
    offer.wanted = [];
    tab.toolNames = tools.map(({ name }) => name);
    tab.heardAt = performance.now();
    try {
      await this.presence.offer(tab.userId, tab.tab, tools, this.notes);
      await this.bus.publish(tab.userId, TOOLS_CHANGED);
    } catch (error) {
      this.connections.handleError(tab, error);
    }
  }
}
