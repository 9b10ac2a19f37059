import { counted } from '../locale/catalogue.js';
import type { PageTexts } from './pages.en.js';

export const hebrewPageTexts: PageTexts = {
  title: '{title} – {service}',
  app: {
    about: 'על היישום הזה',
    published: 'פורסם על ידי',
    publisher: 'מפרסם',
    unverified: '{mark}. היישום נרשם בעצמו, וכל אחד יכול להירשם בכל שם.',
    unverifiedMark: 'השם לא אומת',
    registered: 'נרשם כאן ב־{moment}.',
    returnsTo: 'מחזיר אותך אל',
    opensApp: 'היישום במכשיר הזה שפותח את {target}',
    loopback: 'מוביל למחשב הזה: יש להמשיך רק אם הפעולה התחילה ביוזמתך.',
    loopbackWhy: 'למה?',
    loopbackBecause:
      'התשובה נשלחת אל {target}. כל תוכנה במחשב הזה יכולה להאזין שם, לא רק היישום שהתכוונת אליו. יש להמשיך רק אם כרגע ביקשת לחבר כאן יישום.',
  },
  signIn: {
    title: 'כניסה',
    heading: 'יש להיכנס כדי לחבר את {app}',
    knownHeading: 'כניסה',
    known: 'אפשר להשתמש במפתח גישה שכבר נוצר כאן.',
    account: 'חשבון',
    accountHint: 'הדפדפן מציע כאן את מפתחות הגישה שלך',
    button: 'כניסה עם מפתח גישה',
    newHeading: 'פעם ראשונה כאן?',
    new: 'המכשיר שומר עבורך מפתח גישה, שנפתח בזיהוי פנים, בטביעת אצבע או בקוד PIN. אין צורך בסיסמה.',
    name: 'השם שלך',
    nameHint: 'עד 40 תווים. השם יופיע ליד מפתח הגישה בכניסה.',
    create: 'יצירת חשבון עם מפתח גישה',
    invite: 'קוד הזמנה',
    inviteHint: 'דרוש קוד כדי ליצור חשבון. אפשר לפנות למפעילי השירות.',
    closed: 'כרגע לא נפתחים כאן חשבונות חדשים. אם אמור להיות לך חשבון, יש לפנות למפעילי השירות.',
    noScript: 'מפתחות גישה דורשים JavaScript. יש לאפשר אותו בדף הזה ואז לטעון את הדף מחדש.',
  },
  passkeysUnavailable: {
    unsupportedHeading: 'הדפדפן הזה לא תומך במפתחות גישה',
    unsupported:
      'ייתכן שהדף נפתח בתוך יישום אחר, או שהדפדפן ישן מדי. אפשר להעתיק את הקישור ולפתוח אותו בדפדפן הרגיל.',
    link: 'קישור לדף הזה',
    copy: 'העתקת הקישור',
    addressHeading: 'מפתחות גישה לא פועלים כאן',
    address: 'דפדפנים משתמשים במפתחות גישה רק עם שם מארח, ולא עם כתובת כמו {host}.',
    localhost: 'יש לחבר את היישום אל {there} במקום אל {here}. כדי לנסות בחלון הזה: {link}',
    localhostLink: 'פתיחת הדף ב־localhost',
    localhostHere: 'יש להשתמש ב־{there} במקום ב־{here}: {link}',
    noHostName: 'אפשר לשאול את מפעילי השירות מה שמו.',
  },
  consent: {
    title: 'לאשר את {app}?',
    heading: '{app} מבקש להתחבר לחשבון שלך',
    signedInAs: 'החשבון המחובר: {user}',
    switchAccount: 'מעבר לחשבון אחר',
    resource: 'היישום מבקש גישה אל {name}: {address}',
    scopes: 'מה היישום יוכל לעשות',
    someRequested: 'מה שהיישום ביקש מסומן. אפשר להסיר את הסימון ממה שלא רצוי.',
    noneRequested: 'היישום לא ציין מה דרוש לו, ולכן הכול מסומן. אפשר להסיר את הסימון ממה שלא רצוי.',
    newAccount: 'יציאה ויצירת חשבון',
    notRequested: 'לא התבקש',
    duration: 'הגישה מסתיימת מעצמה אחרי 30 ימים ללא שימוש.',
    durationWithEnd: 'הגישה מסתיימת מעצמה אחרי 30 ימים ללא שימוש, ובכל מקרה בעוד {days}.',
    durationOfEnd: 'הגישה מסתיימת מעצמה בעוד {days}.',
    disconnect: 'אפשר לנתק את היישום בכל עת ב{link}.',
    accountPage: 'דף החשבון שלך',
    days: counted({ one: 'יום אחד', two: 'יומיים', other: '{n} ימים' }),
    approve: 'אישור',
    deny: 'דחייה',
    ask: 'לשאול אותי בכל פעם',
    presets: {
      label: 'בחירת הרשאות',
      asked: 'מה שהתבקש',
      read: 'קריאה בלבד',
      all: 'הכול',
    },
  },
  request: {
    title: 'בקשה מאת {app}',
    tool: '{app} מבקש להשתמש ב״{tool}״',
    toolOn: '{app} מבקש להשתמש ב״{tool}״ בדף {page}',
    resource: '{app} מבקש לקרוא את ״{tool}״',
    prompt: '{app} מבקש להשתמש בתבנית ״{tool}״',
    about: 'על הבקשה הזאת',
    app: 'יישום',
    action: 'פעולה',
    page: 'דף',
    notPermitted: 'השאלה מופיעה כי ל־{app} אין ההרשאה: {permission}.',
    askedFor: 'השאלה מופיעה כי ביקשת להישאל בכל פעם על ההרשאה: {permission}.',
    confirms: 'השאלה מופיעה כי הפעולה הזאת תמיד דורשת אישור שלך.',
    arguments: 'עם הפרטים האלה',
    noArguments: 'היישום לא שולח פרטים נוספים.',
    argument: 'שם',
    value: 'ערך',
    empty: 'ריק',
    truncated: 'מוצגת כאן רק ההתחלה, כי הכול ארוך מדי. אם צריך לדעת גם את ההמשך, עדיף לא לאשר.',
    unseen: 'סימנים כמו {example} מייצגים תווים בלתי נראים או תווים שמשנים את סדר הטקסט.',
    answers: 'התשובה שלך',
    byPasskey: 'כדי לאשר נדרש מפתח הגישה שלך.',
    noMeans: 'דבר לא ייעשה. אם {app} ינסה שוב בדיוק את זה, הניסיון יידחה במשך 10 דקות.',
    noPermission: 'דבר לא ייעשה. במשך 10 דקות {app} לא יוכל לבקש את ההרשאה הזאת.',
    once: 'אישור חד־פעמי',
    onceMeans: '{app} יכול לעשות בדיוק את זה, פעם אחת, בתוך 10 דקות. אחר כך יצטרך לבקש שוב.',
    always: 'אישור תמידי',
    alwaysMeans:
      '{app} יכול לעשות את זה, ומעכשיו לא ישאל על שום דבר שכלול בהרשאה: {permission}. אפשר לשנות את זה ב{link}.',
    appPage: 'דף היישום',
    unanswered: 'בלי תשובה בתוך {minutes} (עד {until}) דבר לא ייעשה, והבקשה תפוג.',
    outcomes: {
      once: 'אושר פעם אחת',
      always: 'אושר תמיד',
      no: 'נדחה',
      expired: 'הבקשה פגה',
    },
    outcomeMeans: {
      once: '{app} יכול לעשות בדיוק את זה בתוך 10 דקות. אם הוא לא ממשיך מעצמו, אפשר לבקש ממנו לנסות שוב.',
      always:
        'מעכשיו {app} יכול לעשות את זה בלי לשאול. אם הוא לא ממשיך מעצמו, אפשר לבקש ממנו לנסות שוב. אפשר לשנות את זה ב{link}.',
      no: 'דבר לא נעשה. {app} מקבל הודעה שהבקשה נדחתה, ושאפשר לנסות שוב רק אם תהיה לכך בקשה ממך.',
      expired: 'דבר לא נעשה. אם זה עדיין רצוי, אפשר לבקש מ־{app} לנסות שוב, והשאלה תופיע שוב.',
    },
    late: 'הבקשה כבר הסתיימה, ולכן התשובה האחרונה שלך לא נקלטה.',
    account: 'אל החשבון שלך',
    goneTitle: 'הבקשה הזאת לא נמצאת כאן',
    gone: 'היא הסתיימה לפני יותר משעה, או שהיא שייכת לחשבון אחר. אם יישום עדיין מחכה לך, אפשר לבקש ממנו לנסות שוב.',
  },
  appPage: {
    back: 'חזרה לחשבון שלך',
    opensApp: 'יישום במכשיר שלך',
    resource: 'יש לו גישה אל',
    managedBy: 'בניהול',
    connected: 'חובר',
    lastUsed: 'שימוש אחרון',
    ends: 'הגישה מסתיימת',
    endsUnused: '{end}, אם לא ייעשה בו שימוש עד אז',
    pause: 'השהיה',
    pauseMeans: 'בזמן ההשהיה {app} נשאר מחובר אבל לא יכול לעשות דבר.',
    paused: 'מושהה',
    pausedByAdministrator: 'מפעילי השירות השהו את {app}. רק הם יכולים להפעיל אותו שוב.',
    resume: 'הפעלה מחדש',
    permissions: 'הרשאות',
    permissionsAbout: 'כאן קובעים מה {app} יכול לעשות. שינוי תקף מהפעולה הבאה שלו.',
    askMeans: '״לשאול אותי״ פירושו שדבר לא ייעשה בלי אישור שלך, בכל פעם.',
    allow: 'מותר',
    ask: 'לשאול אותי',
    off: 'כבוי',
    notOfferedBy: 'לא ניתן על ידי {name}, ולכן אי אפשר להפעיל את זה כאן.',
    mayAsk: 'היישום יכול לבקש עוד',
    mayAskMeans: 'כשהוא צריך הרשאה כבויה, תופיע שאלה. אחרת הוא יידחה בלי לשאול אותך.',
    savePermissions: 'שמירת ההרשאות',
    limits: 'מגבלות',
    dailyCredits: 'קרדיטים ליום',
    dailyCreditsMeans:
      'כשהם נגמרים היישום צריך לחכות עד חצות (UTC). אם השדה ריק, המגבלה היחידה היא הקרדיטים היומיים של החשבון.',
    used: counted({
      one: 'היום נוצל קרדיט אחד.',
      two: 'היום נוצלו שני קרדיטים.',
      other: 'היום נוצלו {n} קרדיטים.',
    }),
    endsOn: 'היום האחרון של הגישה',
    endsOnMeans: 'היישום ינותק בסוף היום הזה (UTC). אם השדה ריק, אין יום אחרון.',
    saveLimits: 'שמירת המגבלות',
    calls: 'מה הוא עשה',
    callsAbout: 'נשמרות רק הפעולה והתוצאה שלה, ולא מה שנשלח או התקבל.',
    noCalls: 'עדיין כלום.',
    chart: counted({
      one: 'פעולה אחת ב־30 הימים האחרונים',
      two: 'שתי פעולות ב־30 הימים האחרונים',
      other: '{n} פעולות ב־30 הימים האחרונים',
    }),
    day: 'יום',
    dayCalls: 'פעולות',
    allTools: 'כל הפעולות',
    others: 'פעולות אחרות',
    show: 'הצגה',
    credits: counted({ one: 'קרדיט אחד', two: 'שני קרדיטים', other: '{n} קרדיטים' }),
    outcomes: {
      done: 'בוצע',
      asked: 'חיכה לתשובה',
      refused: 'נדחה',
      failed: 'נכשל',
      cancelled: 'בוטל',
    },
    approved: { once: 'באישור שלך', passkey: 'באישור שלך עם מפתח גישה' },
    newest: 'החדשות ביותר',
    older: 'ישנות יותר',
    disconnect: 'ניתוק',
    disconnectQuestion: 'ניתוק {app}…',
    disconnectMeans: 'מרגע זה הוא לא יוכל לעשות דבר בחשבון שלך. אפשר לחבר אותו שוב, מתוך היישום.',
    disconnectMeansManaged: 'מרגע זה הוא לא יוכל לעשות דבר בחשבון שלך. {name} יכול לחבר אותו שוב.',
    disconnectNow: 'ניתוק עכשיו',
    goneTitle: 'היישום הזה לא מחובר',
    gone: 'הוא נותק, הגישה שלו הסתיימה, או שהוא מחובר לחשבון אחר.',
    confirm: 'שימוש במפתח גישה',
    messages: {
      saved: 'נשמר. זה תקף מהפעולה הבאה של היישום.',
      signInAgain:
        'דבר לא השתנה, כי השינוי נותן ליישום יותר ועבר זמן מאז הכניסה שלך. יש לאשר את זהותך עם מפתח גישה ואז לבצע את השינוי שוב.',
      credits: 'דבר לא השתנה. אפשר להזין מספר שלם מ־0 עד 1,000,000, או להשאיר ריק.',
      end: 'דבר לא השתנה. אפשר לבחור יום מהיום ועד עשר שנים מהיום, או להשאיר ריק.',
      refused: 'דבר לא השתנה, כי אי אפשר לקבוע את זה ליישום הזה.',
      tooMany: 'דבר לא השתנה, כי היו יותר מדי שינויים. אפשר לנסות שוב בעוד דקה.',
    },
  },
  refused: {
    heading: 'אי אפשר לחבר את {app} לחשבון הזה',
    back: 'חזרה ליישום',
    next: 'היישום לא יקבל גישה. אם נראה לך שזו טעות, אפשר לפנות למנהלי השירות.',
  },
  openInTab: {
    title: 'יש לפתוח את הדף הזה בכרטיסייה',
    heading: 'כדי לחבר את {app}, יש לפתוח את הדף הזה בכרטיסייה נפרדת',
    reason:
      'הדף נטען בתוך דף אחר או באמצעות סקריפט. כדי להגן על החשבון שלך, אפשר להשיב ליישום רק בכרטיסייה שהדפדפן טען בעצמו.',
    link: 'פתיחה בכרטיסייה חדשה',
    again:
      'זה מופיע שוב? יש להחזיק את המקש Shift ולטעון את הדף מחדש: כך שום דבר מהאתר לא יעמוד בדרך.',
  },
  script: {
    signingIn: 'ממתינים למפתח הגישה שלך…',
    creating: 'החשבון נוצר. המכשיר יבקש ממך לשמור מפתח גישה…',
    cancel: 'ביטול',
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
    blocked:
      'הדפדפן חסם את הדרך חזרה ליישום. יש לחזור ליישום ולחבר אותו שוב, או לפנות למפתחים שלו.',
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
      'the passkey could not be verified: its use counter started over, so it may be a copy; use another passkey or a recovery code, or ask an administrator of this service for a recovery link':
        'מונה השימוש של מפתח הגישה התחיל מחדש, ולכן ייתכן שהוא העתק; אפשר להשתמש במפתח אחר או בקוד שחזור, או לבקש קישור שחזור ממפעילי השירות',
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
      'the passkey did not confirm this; try again, with a passkey of your account':
        'מפתח הגישה לא אישר את הפעולה; יש לנסות שוב, עם מפתח גישה של החשבון שלך',
      'this was answered, or waited longer than 10 minutes; the app can ask again':
        'הבקשה כבר נענתה, או חיכתה יותר מ־10 דקות; היישום יכול לבקש שוב',
      'this needs a yes each time; allow it once':
        'הפעולה דורשת אישור בכל פעם; אפשר לאשר אותה פעם אחת',
      'this has to be confirmed with a passkey, and your account has none for this site; add one first':
        'את הפעולה יש לאשר במפתח גישה, ובחשבון שלך אין מפתח לאתר הזה; יש להוסיף אחד קודם',
      'sign in again to add a passkey': 'כדי להוסיף מפתח גישה יש להיכנס שוב',
      'the passkey could not be verified: it answered a different kind of request; try again':
        'מפתח הגישה השיב לבקשה מסוג אחר; יש לנסות שוב',
      'the passkey could not be verified: its attestation is not accepted; use another passkey':
        'האישור של מפתח הגישה לא התקבל; יש להשתמש באחר',
      'the passkey could not be verified: its backup status changed, so it may not be the same; use another passkey or a recovery code, or ask an administrator of this service for a recovery link':
        'מה שמפתח הגישה מוסר על הגיבוי שלו השתנה, ולכן ייתכן שזה לא אותו מפתח; אפשר להשתמש במפתח אחר או בקוד שחזור, או לבקש קישור שחזור ממפעילי השירות',
      'the passkey could not be verified: its backup status is not valid; use another passkey':
        'מה שמפתח הגישה מוסר על הגיבוי שלו לא הגיוני; יש להשתמש במפתח אחר',
      'the passkey could not be verified: its signature is not valid; use another passkey':
        'החתימה של מפתח הגישה לא מתאימה; יש להשתמש במפתח אחר',
      'the passkey could not be verified: it was used twice at the same time; try again':
        'נעשה שימוש במפתח הגישה פעמיים באותו רגע; יש לנסות שוב',
      'the passkey id is malformed; try again, or use another passkey':
        'המזהה של מפתח הגישה לא תקין; יש לנסות שוב או להשתמש במפתח אחר',
    },
    signedOut: 'יצאת מהחשבון.',
  },
};
