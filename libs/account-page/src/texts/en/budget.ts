export const budget = {
  heading: 'Credits today',
  about: 'Connected apps use credits when they run code or have content checked.',
  script: {
    left: '{left} of {limit} credits left',
    renews: 'Renews {when}',
    unknown: 'Your credits cannot be told at the moment. They are safe; look again in a minute.',
  },
};
