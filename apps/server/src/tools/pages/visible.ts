/** What readers do not see and models do: text in tags, joiners of no width, changes of direction, controls. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** Text of a page as people see it, on one line. */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\n\r\t\u2028\u2029]+/g, ' ')
    .replaceAll(INVISIBLE, '');
