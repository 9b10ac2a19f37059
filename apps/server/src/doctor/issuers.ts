import { IssuerKeysService, KeysUnavailableError, type TrustedIssuer } from '#libs/oauth';
import type { Config } from '../config/config.js';
import { fail, type Finding, ok } from './finding.js';

type Settings = Pick<Config, 'trustedIssuers' | 'clientDocuments'>;

/** Whether the service can fetch the keys of each trusted issuer from here. */
export async function* issuerFindings({
  trustedIssuers = [],
  clientDocuments,
}: Settings): AsyncIterable<Finding> {
  const keys = new IssuerKeysService({ trustedIssuers, clientDocuments });
  yield* await Promise.all(trustedIssuers.map((trusted) => keysFinding(keys, trusted)));
}

async function keysFinding(keys: IssuerKeysService, trusted: TrustedIssuer): Promise<Finding> {
  try {
    const count = await keys.count(trusted);
    const { name, issuer } = trusted;
    return ok(`${name} publishes ${count === 1 ? '1 key' : `${count} keys`} at ${issuer}`);
  } catch (error) {
    if (!(error instanceof KeysUnavailableError)) throw error;
    return fail(
      error.message,
      'look at its issuer and jwksUri in TRUSTED_ISSUERS_FILE, the DNS and the firewall; on your own network it needs privateNetwork, and an authority of your own NODE_EXTRA_CA_CERTS',
    );
  }
}
