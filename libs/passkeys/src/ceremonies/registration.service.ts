import { Injectable } from '@nestjs/common';
import { type OwnOrigin, RefusalError } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { ChallengesService } from '../challenges/challenges.service.js';
import { isCredentialId } from '../credentials/credential-id.js';
import { alreadyRegistered, CredentialsService } from '../credentials/credentials.service.js';
import { malformedId } from './ceremony.error.js';
import { readClientData } from './client-data.js';
import { FurtherCredentialService, signInAgain } from './further-credential.service.js';
import { NewAccountService } from './new-account.service.js';
import type { SeenBrowser } from './seen-browser.js';

/** How the registration ceremony ends: a new account with its first credential, or a further credential. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly newAccounts: NewAccountService,
    private readonly furtherCredentials: FurtherCredentialService,
  ) {}

  /** The user the credential now belongs to, and of a new account what NewAccountService tells. */
  async finish(party: OwnOrigin, seen: SeenBrowser, body: JsonObject) {
    const { session } = seen;
    const clientData = readClientData(body);
    const { origin } = party;
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'register', 'add'));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    // With the library, which no start has to wait for.
    const { verifyRegistration } = await import('./registration-verification.js');
    const credential = await verifyRegistration(body, clientData, party);
    if (!isCredentialId(credential.id)) throw malformedId();
    if (await this.credentials.exists(credential.id)) throw alreadyRegistered();
    if (issued.purpose === 'register') return this.newAccounts.create(issued, credential, seen);
    if (session?.user.id !== issued.userId) throw signInAgain();
    await this.furtherCredentials.add(session, credential);
    return { user: session.user };
  }
}
