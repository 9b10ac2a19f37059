import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { DeliveredEvent } from '#server';

const SECRET = `whsec_${Buffer.from('a secret of a receiver of events').toString('base64')}`;

export interface Delivery {
  readonly event: DeliveredEvent;
  readonly headers: IncomingHttpHeaders;
  readonly path: string | undefined;
}

type Answer = (delivery: Delivery, response: ServerResponse) => void;

const TAKEN: Answer = (_delivery, response) => void response.writeHead(204).end();

/** A receiver of a service's events; accepts only events whose signature an external library verifies. */
export class Receiver {
  /** Every delivery, whatever it was answered. */
  readonly asked: Delivery[] = [];
  /** The accepted events. */
  readonly taken: DeliveredEvent[] = [];
  private answer: Answer = TAKEN;

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', async (request, response) => {
      const { headers, url: path } = request;
      const body = await textOf(request);
      const payload = new Webhook(SECRET).verify(body, headers as Record<string, string>);
      const id = String(headers['webhook-id']);
      const event = { id, ...(payload as Omit<DeliveredEvent, 'id'>) };
      const delivery = { event, headers, path };
      receiver.asked.push(delivery);
      response.once('finish', () => {
        if (response.statusCode < 300) receiver.taken.push(event);
      });
      receiver.answer(delivery, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get origin() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get variables() {
    return { EVENTS_WEBHOOK_URL: `${this.origin}/hook`, EVENTS_WEBHOOK_SECRET: SECRET };
  }

  /** Sets the answer to further deliveries. */
  answers(answer: Answer = TAKEN) {
    this.answer = answer;
  }

  /** The types of an account's accepted events, in order. */
  typesOf = (userId: string | null) => this.of(userId).map(({ type }) => type);

  of = (userId: string | null) => this.taken.filter(({ data }) => data.user === userId);

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
