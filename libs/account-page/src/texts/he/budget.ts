import type { budget as english } from '../en/budget.js';

export const budget: typeof english = {
  heading: 'קרדיטים להיום',
  about: 'יישומים מחוברים משתמשים בקרדיטים כשהם מריצים קוד או מבקשים לבדוק תוכן.',
  script: {
    left: 'נותרו {left} מתוך {limit} קרדיטים',
    renews: 'מתחדשים {when}',
    unknown: 'כרגע אי אפשר להציג את הקרדיטים שלך. הם לא אבדו; אפשר לבדוק שוב בעוד דקה.',
  },
};
