import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const accountNews = (_data: MailData['account-news'], to: LinkTo): Letter => ({
  subject: 'More sign-ins or password changes on your account',
  opening: [
    'More happened with your account lately than we tell you of one by one: sign-ins with browsers that we have not seen you use before, or changes of its password.',
    'Look at where you are signed in. If any of it was not you, set a new password: it ends every session.',
  ],
  action: { label: 'See where you are signed in', href: to('/dashboard/account') },
});
