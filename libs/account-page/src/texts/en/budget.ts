export const budget = {
  heading: 'Credits today',
  about: 'Connected apps use credits when they run code or have content checked.',
  script: {
    left: '{left} of {limit} credits left',
    renews: 'Resets {when}',
    unknown: 'Your credits can’t be shown right now. They aren’t lost. Check back in a minute.',
  },
};
