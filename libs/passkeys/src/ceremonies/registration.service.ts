import { Injectable } from '@nestjs/common';
import { type OwnOrigin, RefusalError } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { ChallengesService } from '../challenge/challenge.service.js';
import { isCredentialId } from '../credential/credential.js';
import { alreadyRegistered, CredentialsService } from '../credential/credential.store.js';
import { malformedId } from './ceremony.error.js';
import { readClientData } from './client-data.js';
import { FurtherCredentialService, signInAgain } from './further-credential.service.js';
import { NewAccountService } from './new-account.service.js';
import type { SeenBrowser } from './seen-browser.js';

/** Ends the registration ceremony: with a new account and its first credential, or with a further credential. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialsService,
    private readonly newAccounts: NewAccountService,
    private readonly furtherCredentials: FurtherCredentialService,
  ) {}

  /** The user that the credential now belongs to and, for a new account, the result of NewAccountService. */
  async finish(party: OwnOrigin, seen: SeenBrowser, body: JsonObject) {
    const { session } = seen;
    const clientData = readClientData(body);
    const { origin } = party;
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'register', 'add'));
    if (!issued) throw new RefusalError(400, 'sign-up expired or was already used; start again');
    // Imported here, with the library, so that the start does not wait for it.
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
