/** A text that the word list accepts, and one that it refuses. */
export const ACCEPTED_TEXT = 'Please look at the second chart.';
export const REFUSED_TEXT = 'you are a fucking fool';
