/** Between two changes of a list that are told: of the tabs, or of what their pages offer. */
export const LIST_GAP_MS = 250;
