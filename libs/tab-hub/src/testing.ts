export { AccountHubsService } from './hub/account-hubs.service.js';
export { SessionWatchService } from './socket/session-watch.service.js';
export { describeTabBus } from './bus/tab-bus.contract.js';
export { newTab, describeTabPresence } from './presence/tab-presence.contract.js';
