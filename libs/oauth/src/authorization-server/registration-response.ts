/** The members of a client that RFC 7591 §2 and §3.2.1 define; the library's OpenID ones are not sent. */
const MEMBERS = [
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'jwks',
  'jwks_uri',
];

export const registrationResponse = (client: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    MEMBERS.filter((name) => client[name] !== undefined).map((name) => [name, client[name]]),
  );
