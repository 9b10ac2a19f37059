export { AccountAnnouncerService } from './bus/account-announcer.service.js';
export { RedisTabBus } from './bus/tab-bus.redis.js';
export { TabBus, type TabBusMessage } from './bus/tab-bus.js';
export { OpenRequests } from './hub/open-requests.js';
export { assertFits, TabsService } from './hub/tabs.service.js';
export { RedisTabPresence } from './presence/tab-presence.redis.js';
export { OfferNotes, TabPresence } from './presence/tab-presence.js';
export type { PageTool } from './protocol/page-tool.js';
export { withoutHidden } from './protocol/hidden-text.js';
export {
  CallCancelledError,
  CallRefusedError,
  CallTimeoutError,
  OutdatedCallError,
  OversizedMessageError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from './hub/errors.js';
export { ALL_TABS, type OpenRequest, type Tab, type TabTools } from './protocol/tab.js';
export { GatewayAdapter, UPGRADED, upgradeOf } from './socket/gateway-adapter.js';
export { TabConnectionsService } from './socket/tab-connections.service.js';
export { TabInflowService } from './socket/tab-inflow.service.js';
export { TabHubModule } from './tab-hub.module.js';
