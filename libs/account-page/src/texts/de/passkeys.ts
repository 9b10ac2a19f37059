import type { passkeys as english } from '../en/passkeys.js';

export const passkeys: typeof english = {
  heading: 'Passkeys',
  about:
    'Womit Sie sich anmelden, entsperrt mit Gesicht, Fingerabdruck oder PIN. Ein Passwort gibt es nicht.',
  current: 'Für diese Anmeldung verwendet',
  rename: 'Umbenennen',
  remove: 'Entfernen',
  add: 'Passkey hinzufügen',
  addHint:
    'Ihr Browser fragt, wo er aufbewahrt werden soll: auf diesem Gerät, auf einem Smartphone oder Tablet in der Nähe oder auf einem Sicherheitsschlüssel.',
  codes: 'Zu den Wiederherstellungs\u00adcodes',
  loss: 'Wenn Sie Ihren Passkey verlieren',
  script: {
    unnamed: 'Passkey',
    synced: 'zwischen Ihren Geräten synchronisiert',
    notSynced: 'nur auf einem Gerät',
    added: '{when} hinzugefügt',
    used: 'zuletzt {when} verwendet',
    unused: 'noch nicht zum Anmelden verwendet',
    renameOne: '{name} umbenennen',
    removeOne: '{name} entfernen',
    lossSynced:
      'Sie haben einen Passkey, und er ist synchronisiert: Er kommt auf neue Geräte mit, die denselben Passkey-Manager verwenden. Wenn Sie diesen Passkey-Manager verlieren, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
    lossOneDevice:
      'Ihr einziger Passkey ist auf einem einzigen Gerät. Wenn es verloren oder kaputt geht, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
    lossUnknown:
      'Sie haben einen Passkey. Wenn Sie ihn verlieren, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
    lossAdvice:
      'Fügen Sie an einem anderen Ort einen zweiten Passkey hinzu, und bewahren Sie Wiederherstellungscodes auf.',
    lossAdvicePasskey: 'Fügen Sie an einem anderen Ort einen zweiten Passkey hinzu.',
    lossCodes:
      'Sie haben einen Passkey. Wenn Sie ihn verlieren, kommen Sie mit einem Wiederherstellungscode hinein, um einen neuen hinzuzufügen: {left}.',
    codesLeft: { one: '{n} Code ist übrig', other: '{n} Codes sind übrig' },
    adding: 'Ihr Gerät fragt, ob Sie einen Passkey sichern möchten …',
    doneAdd: 'Passkey hinzugefügt. Benennen Sie ihn um, damit Sie ihn wiedererkennen.',
    cancelledAdd:
      'Abgebrochen oder Zeit abgelaufen. Es wurde kein Passkey hinzugefügt. Sie können es noch einmal versuchen.',
    alreadyThere:
      'An diesem Ort gibt es schon einen Passkey dieses Kontos. Wählen Sie ein anderes Gerät, einen anderen Passkey-Manager oder Sicherheitsschlüssel.',
    renameTitle: 'Passkey umbenennen',
    renameText: 'Ein Name, der Ihnen sagt, wo dieser Passkey ist, zum Beispiel „Laptop im Büro“.',
    renameLabel: 'Name',
    renameHint: '1 bis 40 Zeichen.',
    renameAct: 'Speichern',
    renameFault: 'Der Name {fault}.',
    doneRename: 'Passkey umbenannt.',
    removeTitle: '{name} entfernen?',
    removeText:
      'Sie können sich dann nicht mehr damit anmelden, und wo Sie damit angemeldet sind, werden Sie abgemeldet, nur hier nicht. Ihr Passkey-Manager behält ihn vielleicht; löschen Sie ihn auch dort.',
    removeCurrentText:
      'Sie sind gerade damit angemeldet. Nach dieser Anmeldung können Sie ihn nicht mehr verwenden. Ihr Passkey-Manager behält ihn vielleicht; löschen Sie ihn auch dort.',
    removeAct: 'Passkey entfernen',
    doneRemove: 'Passkey entfernt.',
    lastTitle: 'Das ist Ihr letzter Passkey',
    lastText:
      'Er kann nicht entfernt werden, weil sich dann niemand mehr bei Ihrem Konto anmelden könnte. Fügen Sie erst einen anderen hinzu, und entfernen Sie dann diesen.',
    addNow: 'Passkey hinzufügen',
    lastNow:
      'Er ist inzwischen Ihr letzter Passkey, deshalb bleibt er. Fügen Sie erst einen anderen hinzu.',
    nameTitle: 'Passkey benennen',
    nameText:
      'Ihr neuer Passkey ist gespeichert. Geben Sie ihm einen Namen, an dem Sie ihn später wiedererkennen.',
    nameSkip: 'Überspringen',
    nameKey: 'Sicherheitsschlüssel',
    namePhone: 'Smartphone oder Tablet',
    doneNamed: 'Passkey hinzugefügt.',
  },
};
