/**
 * Names of passkey managers and authenticators by AAGUID, from the FIDO Metadata Service and
 * https://github.com/passkeydeveloper/passkey-authenticator-aaguids, as of November 2026.
 */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Apple Passwords'],
  ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain (managed)'],
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['adce0002-35bc-c60a-648b-0b25f1f05503', 'Chrome on Mac'],
  ['771b48fd-d3d4-4f74-9232-fc157ab0507a', 'Edge on Mac'],
  ['b5397666-4885-aa6b-cebf-e52262a439a2', 'Chromium'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass'],
  ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6', 'Keeper'],
  ['b84e4048-15dc-4dd0-8640-f4f60813c8af', 'NordPass'],
  ['f3809540-7f14-49c1-a8b3-8f813b225541', 'Enpass'],
  ['b78a0a55-6ef8-d246-a042-ba0f6d55050c', 'LastPass'],
  ['fdb141b2-5d84-443e-8a35-4698c205a502', 'KeePassXC'],
  ['39a5647e-1853-446c-a1f6-a79bae9f5bc7', 'IDmelon'],
  ['891494da-2c90-4d31-a9cd-4eab0aed1309', 'Sésame'],
  ['a11a5faa-9f32-4b8c-8c5d-2f7d13e8c942', 'AliasVault'],
  ['fa2b99dc-9e39-4257-8f92-4a30d23c4118', 'YubiKey 5'],
  ['2fc0579f-8113-47ea-b116-bb5a8db9202a', 'YubiKey 5'],
  ['ee882879-721c-4913-9775-3dfcce97072a', 'YubiKey 5'],
  ['cb69481e-8ff7-4039-93ec-0a2729a154a8', 'YubiKey 5'],
  ['c5ef55ff-ad9a-4b9f-b580-adebafe026d0', 'YubiKey 5'],
  ['f8a011f3-8c0a-4d15-8006-17111f9edc7d', 'Security Key by Yubico'],
  ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3', 'Google Titan Security Key'],
]);

/** The name for an AAGUID; null for an unlisted one. For display only: AAGUIDs are not attested. */
export const providerName = (aaguid: string | null): string | null =>
  (aaguid === null ? undefined : PROVIDERS.get(aaguid)) ?? null;
