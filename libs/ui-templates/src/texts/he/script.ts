import type { ScriptTexts } from '../page-texts.js';

export const script: ScriptTexts = {
  signingIn: 'ממתינים למפתח הגישה שלך…',
  creating: 'החשבון נוצר. המכשיר יבקש ממך לשמור מפתח גישה…',
  done: 'הכניסה הצליחה. רק רגע…',
  copied: 'הקישור הועתק.',
  copyYourself: 'הקישור מסומן, אפשר להעתיק אותו עכשיו באמצעות המקלדת.',
  cancelledSignIn:
    'הפעולה בוטלה או שהזמן עבר. דבר לא השתנה. אפשר לנסות שוב, או ליצור חשבון אם עדיין אין לך כאן מפתח גישה.',
  cancelledSignInOnly: 'הפעולה בוטלה או שהזמן עבר. דבר לא השתנה. אפשר לנסות שוב.',
  cancelledSignUp: 'הפעולה בוטלה או שהזמן עבר. לא נוצר חשבון. אפשר לנסות שוב.',
  seenHere: 'כבר נכנסו כאן מהדפדפן הזה. אם זה היה חשבון שלך, כדאי להשתמש באותו מפתח גישה.',
  cancelledSwitch:
    'הפעולה בוטלה או שהזמן עבר. נשארת בחשבון הקודם. כדי להשתמש בחשבון שעדיין אין לך, יש לצאת קודם.',
  cancelledSwitchOnly: 'הפעולה בוטלה או שהזמן עבר. נשארת בחשבון הקודם.',
  notAtHandOnly:
    'לא נעשה שימוש במפתח גישה. אם שלך נמצא בטלפון או במפתח אבטחה, יש ללחוץ שוב על הכפתור.',
  notAtHand:
    'לא נעשה שימוש במפתח גישה. אם שלך נמצא בטלפון או במפתח אבטחה, יש ללחוץ שוב על הכפתור. אם עדיין אין לך כאן מפתח גישה, אפשר ליצור חשבון.',
  signedInAlready: 'כבר נכנסת כאן, אולי בכרטיסייה אחרת. יש לטעון את הדף מחדש כדי להמשיך.',
  otherAddress:
    'השירות נמצא בכתובת אחרת מזו של הדף. יש לפתוח את הדף שוב מתוך היישום; אם זה לא עוזר, כדאי לפנות למפעילי השירות.',
  unknownPasskey: 'מפתח הגישה הזה לא רשום כאן. אפשר להשתמש באחר, או ליצור חשבון.',
  unknownPasskeyOnly: 'מפתח הגישה הזה לא רשום כאן. אפשר להשתמש באחר.',
  alreadyHere: 'במכשיר הזה כבר יש מפתח גישה עבורך. אפשר להיכנס באמצעותו.',
  wrongPlace: 'מפתחות גישה לא פועלים בכתובת הזאת. יש לפתוח את הדף שוב מתוך היישום.',
  cannotKeep:
    'המכשיר או מפתח האבטחה לא יכול לשמור את מפתח הגישה: אולי אין בו מקום, או שעדיין לא הוגדר בו קוד PIN. אפשר להגדיר קוד, או להשתמש במכשיר אחר.',
  notSupported: 'המכשיר או מפתח האבטחה לא תומך בסוג הזה של מפתח גישה. אפשר להשתמש באחר.',
  offline: 'אין תקשורת עם השירות. יש לבדוק את החיבור ולנסות שוב.',
  tooMany: 'יותר מדי ניסיונות. אפשר לנסות שוב {when}.',
  unavailable: 'השירות לא זמין כרגע. אפשר לנסות שוב {when}.',
  expired: 'זה לקח יותר מדי זמן. יש לנסות שוב.',
  refused: 'הפעולה לא הצליחה: {reason}.',
  nameRefused: 'השדה ״השם שלך״ {fault}.',
  failed: 'משהו השתבש, ודבר לא השתנה. יש לנסות שוב.',
  failedThere:
    'משהו השתבש בשירות. יש לנסות שוב. אם זה קורה שוב, יש למסור למפעילי השירות את מספר הבקשה: {request}.',
  soon: 'בעוד רגע',
  answering: 'התשובה נשלחת…',
  answered: 'התשובה נשלחה. אם היישום לא מופיע מעצמו, יש לחזור אליו.',
  answeredApp: 'התשובה נשלחה ליישום. אפשר לסגור את הדף. אם היישום לא מופיע מעצמו, יש לחזור אליו.',
  blocked: 'הדפדפן חסם את הדרך חזרה ליישום. יש לחזור ליישום ולחבר אותו שוב, או לפנות למפתחים שלו.',
  reasons: {
    'is empty; enter 1 to 40 characters': 'ריק; יש להזין עד 40 תווים',
    'is too long; enter 1 to 40 characters': 'ארוך מדי; אפשר להזין עד 40 תווים',
    'has an invisible character, {character}, at position {position}; delete it, or type the name again':
      'מכיל תו בלתי נראה ({character}) במקום {position}; יש למחוק אותו או להקליד את השם מחדש',
    'has a control character, {character}, at position {position}; delete it, or type the name again':
      'מכיל תו בקרה ({character}) במקום {position}; יש למחוק אותו או להקליד את השם מחדש',
    'has an incomplete character, {character}, at position {position}; delete it, or type the name again':
      'מכיל חצי תו ({character}) במקום {position}; יש למחוק אותו או להקליד את השם מחדש',
    'the passkey could not be verified: it did not verify that it was you; set up a PIN, fingerprint or face for it':
      'מפתח הגישה לא אימת את זהותך; יש להגדיר בו קוד PIN, טביעת אצבע או זיהוי פנים',
    'the passkey could not be verified: it did not detect anyone present; try again and touch it':
      'מפתח הגישה לא זיהה נוכחות; יש לנסות שוב ולגעת בו',
    'the passkey could not be verified: its use counter went backwards, so it may be a copy; use another passkey':
      'ייתכן שמפתח הגישה הוא העתק, כי מונה השימוש שלו חזר לאחור; יש להשתמש במפתח אחר',
    'the passkey could not be verified: it answered for another site; reload this page and try again':
      'מפתח הגישה השיב לאתר אחר; יש לפתוח את הדף מחדש ולנסות שוב',
    'the passkey could not be verified: its type of key is not supported; use another passkey':
      'אין תמיכה בסוג המפתח הזה; יש להשתמש במפתח גישה אחר',
    'the passkey could not be verified: its answer is not valid; try again, or use another passkey':
      'לא ניתן היה לאמת את מפתח הגישה; יש לנסות שוב או להשתמש באחר',
    'this account is disabled; contact an administrator of this service':
      'החשבון הזה מושבת; יש לפנות למפעילי השירות',
    'this service is not accepting new accounts; contact an administrator of this service':
      'לא נפתחים כאן חשבונות חדשים; יש לפנות למפעילי השירות',
    'you need an invitation code to create an account; ask an administrator of this service for one':
      'כדי לפתוח כאן חשבון דרוש קוד הזמנה; אפשר לבקש אותו ממפעילי השירות',
    'this invitation code is wrong, already used or expired; ask the person who invited you for another one':
      'קוד ההזמנה שגוי, כבר נוצל או שפג תוקפו; אפשר לבקש קוד אחר ממי ששלח את ההזמנה',
    'this passkey belongs to another account; use another one':
      'מפתח הגישה הזה שייך לחשבון אחר; יש להשתמש באחר',
    'this passkey is already registered; sign in with it, or use another one':
      'מפתח הגישה הזה כבר רשום; אפשר להיכנס באמצעותו או להשתמש באחר',
    'this account has 20 passkeys already, which is the maximum; remove one to add another':
      'בחשבון הזה כבר יש 20 מפתחות גישה, וזה המספר המרבי; כדי להוסיף יש להסיר אחד מהם',
    'sign in again to add a passkey': 'כדי להוסיף מפתח גישה יש להיכנס שוב',
    'the passkey could not be verified: it answered a different kind of request; try again':
      'מפתח הגישה השיב לבקשה מסוג אחר; יש לנסות שוב',
    'the passkey could not be verified: its attestation is not accepted; use another passkey':
      'האישור של מפתח הגישה לא התקבל; יש להשתמש באחר',
    'the passkey could not be verified: its backup status changed or is not valid; use another passkey, or create a new one':
      'מה שמפתח הגישה מוסר על הגיבוי שלו השתנה או לא הגיוני; יש להשתמש במפתח אחר או ליצור חדש',
    'the passkey could not be verified: its signature is not valid; use another passkey':
      'החתימה של מפתח הגישה לא מתאימה; יש להשתמש במפתח אחר',
    'the passkey could not be verified: it was used twice at the same time; try again':
      'נעשה שימוש במפתח הגישה פעמיים באותו רגע; יש לנסות שוב',
    'the passkey id is malformed; try again, or use another passkey':
      'המזהה של מפתח הגישה לא תקין; יש לנסות שוב או להשתמש במפתח אחר',
  },
  signedOut: 'יצאת מהחשבון.',
};
