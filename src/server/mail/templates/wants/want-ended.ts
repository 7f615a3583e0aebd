import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

/** Says that nobody looks for a book any more, unless its reader renews that. */
export const wantEnded = ({ title }: MailData['want-ended'], to: LinkTo): Letter => ({
  subject: `Do you still look for ${title}?`,
  opening: ['You asked us a year ago to tell you when there is one. That ends now, unless you still look for it.'],
  facts: [['Book', title]],
  action: { label: 'Keep looking', href: to('/dashboard/wants') },
});
