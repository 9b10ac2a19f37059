/** Scripts whose letters change their shape by joiners. */
const JOINING_SCRIPTS =
  'Arabic Syriac Mandaic Nko Adlam Mongolian Phags_Pa Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati ' +
  'Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer Tibetan Javanese Balinese';
const scripts = JOINING_SCRIPTS.replaceAll(/(\S+) ?/g, String.raw`\p{scx=$1}`);
/** Some marks of these scripts have no width themselves. */
const JOINING = String.raw`[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]&&[${scripts}]]`;
const NOT_AFTER_JOINING = `(?<!${JOINING})`;

/**
 * Pattern, for the flag `v`, of characters that models read and people do not see. LRM, RLM and line breaks are none;
 * joiners and selectors of variants are none where a letter of a joining script or an emoji needs them.
 */
export const HIDDEN = [
  // Controls but for tab and line breaks, halves of characters, and marks of annotations.
  String.raw`[\p{Cs}\u{FFF9}-\u{FFFB}[\p{Cc}--[\t\n\r\u{85}]]]`,
  String.raw`[\p{Default_Ignorable_Code_Point}--[\u{200C}-\u{200F}\u{61C}\u{180B}-\u{180F}\u{FE0E}\u{FE0F}]]`,
  String.raw`${NOT_AFTER_JOINING}[\u{200C}\u{61C}\u{180B}-\u{180F}]`,
  String.raw`${NOT_AFTER_JOINING}(?<!\p{ExtPict}\u{FE0F}?\p{Emoji_Modifier}?)\u{200D}`,
  String.raw`${NOT_AFTER_JOINING}\u{200D}(?!\p{ExtPict})`,
  String.raw`(?<!\p{ExtPict}|[0-9#*](?=\u{FE0F}\u{20E3}))[\u{FE0E}\u{FE0F}]`,
].join('|');
