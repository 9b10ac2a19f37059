export const signedOut = {
  heading: 'Your {service} account',
  lostHeading: 'Lost your passkeys?',
  /** @deprecated No page shows it. */
  lost: 'Sign in with a recovery code, or with a link from an administrator of this service, and add a new passkey.',
  /** @deprecated No page shows it. */
  recover: 'Recover your account',
  script: {
    wrongPlace:
      'Passkeys don’t work at this address. Ask an administrator of this service for the right one.',
    otherAddress:
      'This page’s address doesn’t match the service’s. Reload the page. If that doesn’t help, contact an administrator of this service.',
  },
};
