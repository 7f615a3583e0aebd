import { formatCount } from '#contract/count.ts';
import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

export const stockWritten = (
  { name, added, changed, withdrawn, waiting, refused }: MailData['stock-written'],
  to: LinkTo,
): Letter => ({
  subject: `Your stock file is in the shop: ${name}`,
  opening: ['All of your file was gone through. What it did can be undone for 24 hours.'],
  facts: [
    ['File', name],
    ['Copies added', formatCount(added)],
    ['Copies changed', formatCount(changed)],
    ['Copies taken away', formatCount(withdrawn)],
    ...(waiting === 0 ? [] : [['Copies we look at before they go live', formatCount(waiting)] as const]),
    ...(refused === 0 ? [] : [['Rows refused', formatCount(refused)] as const]),
  ],
  action: { label: 'See your stock', href: to('/dashboard/stock') },
  closing: refused === 0 ? [] : ['Refused rows are listed there with their reasons, to be mended and dropped again.'],
});
