import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  /** PEM; a client that trusts it trusts its holder. */
  readonly certificate: string;
  readonly privateKey: string;
}

const DAY_MS = 86_400_000;
const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, bytes(0x06, '2a8648ce3d040302'));

/** A self-signed certificate for host names and addresses (RFC 5280), created without external tools. */
export function selfSignedCertificate(hosts: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(
    SEQUENCE,
    der(0x31, der(SEQUENCE, bytes(0x06, '550403'), der(0x0c, Buffer.from('Gatehouse tests')))),
  );
  const content = der(
    SEQUENCE,
    der(0xa0, bytes(0x02, '02')),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, isAuthority(), alternativeNames(hosts))),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = der(SEQUENCE, content, ECDSA_WITH_SHA256, der(0x03, Buffer.of(0), signature));
  return {
    certificate: pem(certificate),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const isAuthority = () => extension('551d13', der(SEQUENCE, bytes(0x01, 'ff')));

const alternativeNames = (hosts: readonly string[]) =>
  extension('551d11', der(SEQUENCE, ...hosts.map(generalName)));

const extension = (id: string, value: Buffer) => der(SEQUENCE, bytes(0x06, id), der(0x04, value));

const generalName = (host: string) =>
  isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, addressBytes(host));

function addressBytes(address: string) {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.of(1)]);
  throw new TypeError(`no certificate for ${address}`);
}

const time = (epochMs: number) => {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
};

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, ...lengthOctets(content.length)), content]);
}

/** The shortest form, which browsers require (X.690 §10.1). */
function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function bytes(tag: number, hex: string) {
  return der(tag, Buffer.from(hex, 'hex'));
}

const pem = (certificate: Buffer) =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(certificate.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
