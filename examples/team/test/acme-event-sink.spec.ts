import { Browser, eventually, type Gatehouse, startGatehouse } from 'gatehouse/testing';
import { EventSink, type Extension } from 'gatehouse';
import { extension } from '../src/acme.extension.js';
import { AcmeBroker, AcmeEventSink, type AcmeMessage } from '../src/acme-event-sink.js';

/** A broker that is away until it is told to be there. */
class BrokerAtHand extends AcmeBroker {
  readonly messages: AcmeMessage[] = [];
  asked = 0;
  isAway = true;

  async publish(message: AcmeMessage) {
    this.asked += 1;
    if (this.isAway) throw new Error('the broker is away');
    this.messages.push(message);
  }
}

describe('events that Acme takes', () => {
  let broker: BrokerAtHand;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    broker = new BrokerAtHand();
    const withBroker: Extension = {
      ...extension,
      replacements: {
        ...extension.replacements,
        events: [
          { provide: AcmeBroker, useValue: broker },
          { provide: EventSink, useClass: AcmeEventSink },
        ],
      },
    };
    gatehouse = await startGatehouse({ extensions: [withBroker] });
  });
  afterAll(() => gatehouse.stop());

  it('wait while its broker is away, and come in order', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    const id = (await browser.me()).user?.id;
    await eventually(() => expect(broker.asked).toBeGreaterThan(0));
    await browser.post('/svc/auth/logout');
    broker.isAway = false;
    await eventually(() => expect(broker.messages).toHaveLength(2));
    expect(broker.messages.map(({ key }) => key)).toEqual([id, id]);
    const types = broker.messages.map(({ text }) => (JSON.parse(text) as { type: string }).type);
    expect(types).toEqual(['sign-up', 'sign-out']);
  });
});
