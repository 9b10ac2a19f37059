import { Injectable } from '@nestjs/common';
import { whileWaiting } from 'gatehouse/platform';
import * as oauth from 'oauth4webapi';

/** The company's OpenID provider, and how this service is known there. */
export interface Company {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** With which the company's directory says who left; without it, it has no way to. */
  readonly directoryToken?: string | undefined;
}

/** The token of the Company in this module. */
export const COMPANY = Symbol('COMPANY');

/** What the provider's answer has to fit; it stays in the browser that began the sign-in. */
export interface SignInCheck {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const PATIENCE_MS = 5000;

/** Asks the company's OpenID provider who a person is (OpenID Connect Core §3.1, with PKCE). */
@Injectable()
export class CompanyProviderService {
  readonly issuer: string;
  private readonly client: oauth.Client;
  private readonly options;
  private server: Promise<oauth.AuthorizationServer> | undefined;

  constructor(private readonly company: Company) {
    this.issuer = company.issuer;
    this.client = { client_id: company.clientId };
    this.options = {
      signal: () => AbortSignal.timeout(PATIENCE_MS),
      // For a provider on this computer, as in the tests: everything else is https.
      [oauth.allowInsecureRequests]: new URL(company.issuer).hostname === 'localhost',
    };
  }

  newCheck(): SignInCheck {
    return {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
  }

  /** Where the browser goes to sign in. */
  async addressFor({ state, nonce, verifier }: SignInCheck, redirectUri: string): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.discover();
    if (endpoint === undefined) throw new Error('the provider has no authorization endpoint');
    const address = new URL(endpoint);
    address.search = new URLSearchParams({
      client_id: this.company.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString();
    return address.href;
  }

  /** Who signed in, by the ID token for the code in `answer`. Throws for an answer that is not good. */
  async identify(
    answer: URLSearchParams,
    { state, nonce, verifier }: SignInCheck,
    redirectUri: string,
  ) {
    const server = await this.discover();
    const params = oauth.validateAuthResponse(server, this.client, answer, state);
    const response = await whileWaiting(() =>
      oauth.authorizationCodeGrantRequest(
        server,
        this.client,
        oauth.ClientSecretBasic(this.company.clientSecret),
        params,
        redirectUri,
        verifier,
        this.options,
      ),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, this.client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims) throw new Error('the provider gave no ID token');
    const { iss: issuer, sub: subject, name } = claims;
    return { issuer, subject, displayName: typeof name === 'string' ? name : undefined };
  }

  /** The provider's metadata, which are asked for again after a failure. */
  private discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.company.issuer);
    this.server ??= whileWaiting(() => oauth.discoveryRequest(issuer, this.options))
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        this.server = undefined;
        throw error;
      });
    return this.server;
  }
}
