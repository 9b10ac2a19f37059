import { send } from '../auth-api.js';
import { signalName } from '../ceremonies.js';
import { onClick, part } from '../elements.js';
import type { Account } from './account.js';
import type { User } from './answers.js';

export function startProfile(account: Account) {
  const texts = account.texts.profile;
  const name = part('display-name').firstElementChild ?? part('display-name');
  show(name.textContent ?? '');

  onClick('rename', () =>
    account.ask({
      ...texts,
      field: { label: texts.label, value: name.textContent ?? '', hint: texts.hint },
      run: async (displayName) => {
        const { user } = await send<{ readonly user: User }>('PATCH', '/svc/me', { displayName });
        name.textContent = user.displayName;
        show(user.displayName);
        signalName(user.id, user.displayName);
        account.say(texts.done);
      },
      explain: (error) => account.explainName(error, texts.fault),
    }),
  );
}

function show(displayName: string) {
  const [first = ''] = displayName;
  part('initial').textContent = first.toUpperCase();
}
