import { send } from '../auth-api.js';
import { signalName } from '../ceremonies.js';
import { part } from '../elements.js';
import type { Account } from './account.js';

interface User {
  readonly id: string;
  readonly displayName: string;
}

export function startProfile(account: Account) {
  const texts = account.texts.profile;
  const name = part('display-name').firstElementChild ?? part('display-name');
  const rename = part<HTMLButtonElement>('rename');
  show(name.textContent ?? '');

  rename.addEventListener('click', () => {
    void account.ask({
      title: texts.title,
      text: texts.text,
      act: texts.act,
      field: { label: texts.label, value: name.textContent ?? '', hint: texts.hint },
      run: async (displayName) => {
        const { user } = await send<{ readonly user: User }>('PATCH', '/svc/me', { displayName });
        name.textContent = user.displayName;
        show(user.displayName);
        signalName(user.id, user.displayName);
        account.say(texts.done);
      },
      explain: (error) => account.explainName(error, texts.fault),
    });
  });
  rename.disabled = false;
}

function show(displayName: string) {
  const [first = ''] = displayName;
  part('initial').textContent = first.toUpperCase();
}
