export const signedOut = {
  heading: 'Your {service} account',
  lostHeading: 'Lost your passkeys?',
  lost: 'A recovery code, or a link from whoever runs this service, lets you in to add a new passkey.',
  recover: 'Recover your account',
  script: {
    wrongPlace: 'Passkeys do not work at this address. Ask whoever runs the service for its name.',
    otherAddress:
      'The service is at another address than this page. Load the page again; if it does not help, tell whoever runs the service.',
  },
};
