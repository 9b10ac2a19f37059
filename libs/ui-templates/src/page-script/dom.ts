/**
 * The part of the DOM that the page script uses. The real DOM library would also declare browser globals for the
 * server's code; dom.spec.ts proves that the DOM has all of this.
 */
export interface PageElement {
  textContent: string | null;
  hidden: boolean | string;
  focus(): void;
  scrollIntoView(options: { readonly block: 'nearest' }): void;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
}

export interface PageControl extends PageElement {
  value: string;
  disabled: boolean;
  select(): void;
}

export interface PageEvent {
  preventDefault(): void;
}

export interface PageDocument {
  readonly activeElement: object | null;
  readonly body: PageElement;
  readonly documentElement: { readonly lang: string };
  getElementById(id: string): PageElement | null;
  querySelectorAll(selector: 'button'): Iterable<{ disabled: boolean }>;
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (violation: { readonly effectiveDirective: string }) => void,
  ): void;
}

export interface PageLocation {
  readonly href: string;
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  replace(url: string): void;
}

export interface PageNavigator {
  readonly clipboard: { writeText(text: string): Promise<void> };
  readonly credentials: {
    /** `uiMode`: Credential Management, §2.3.3; browsers that do not know it ignore it. */
    get(options?: {
      readonly publicKey?: object;
      readonly uiMode?: 'immediate';
    }): Promise<object | null>;
  };
}

/** Old browsers lack its methods, and some have no storage. */
export interface PageWindow {
  readonly PublicKeyCredential?: {
    getClientCapabilities?(): Promise<Readonly<Record<string, boolean | undefined>>>;
    parseRequestOptionsFromJSON?(options: object): object;
    signalUnknownCredential?(details: object): Promise<void>;
    signalAllAcceptedCredentials?(details: object): Promise<void>;
    signalCurrentUserDetails?(details: object): Promise<void>;
  };
  /** Throws when the browser stores nothing for this page. */
  readonly localStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  /** Like localStorage, for this tab only. */
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  addEventListener(
    type: 'pageshow',
    listener: (event: { readonly persisted: boolean }) => void,
  ): void;
}

interface Browser {
  readonly document: PageDocument;
  readonly location: PageLocation;
  readonly navigator: PageNavigator;
}

export const { document, location, navigator } = globalThis as unknown as Browser;
export const window = globalThis as unknown as PageWindow;
