import type { Letter, LinkTo } from '#server/mail/letter.ts';
import type { MailData } from '#server/mail/mails.ts';

type Decision = MailData['decision'];

const DONE: Readonly<Record<Decision['action'], string>> = {
  'no-fault': 'Nothing was found against it.',
  warn: 'This is a warning: nothing was taken from you.',
  hide: 'It is no longer shown.',
  suspend: 'Your account is suspended.',
  delete: 'What this is about is deleted.',
};

const OPENINGS: Readonly<Record<Decision['about'], (decision: Decision) => readonly string[]>> = {
  decided: ({ action }) => ['Somebody reported this to us, an admin has looked at it, and decided.', DONE[action]],
  undone: ({ kind }) => [
    'The shop has taken back what it decided about this.',
    kind === 'photo' ? 'You may upload the photo again.' : 'What was taken from you is there again.',
  ],
  upheld: () => ['Another admin has looked at your appeal. The decision stays as it is.'],
  'taken-back': () => ['Another admin has looked at your appeal, and the decision is taken back.'],
};

const SUBJECTS: Readonly<Record<Decision['about'], string>> = {
  decided: 'Decided about',
  undone: 'Taken back:',
  upheld: 'Your appeal about',
  'taken-back': 'Your appeal about',
};

/** Who was deleted can sign in no more. */
const isGone = ({ kind, action, about }: Decision): boolean =>
  kind === 'person' && action === 'delete' && about === 'decided';

const APPEAL =
  'A person decided this. If you think it is a mistake, appeal there within six months: another admin looks.';
const WRITE =
  'A person decided this. If you think it is a mistake, write to the address at the foot of every page of the shop.';

/** The statement of reasons of a decision, and what became of an appeal. */
export const decision = (news: Decision, to: LinkTo): Letter => ({
  subject: `${SUBJECTS[news.about]} ${news.title}`,
  opening: [...OPENINGS[news.about](news)],
  facts: [['About', news.title], ...(news.reason === '' ? [] : [['Reason', news.reason] as [string, string]])],
  action: isGone(news)
    ? { label: 'To the shop', href: to('/') }
    : { label: 'See the decision', href: to('/dashboard/account#decisions') },
  closing: news.about === 'decided' ? [isGone(news) ? WRITE : APPEAL] : [],
});

/** To whoever reported something: that it was looked at, and not what was done to whom. */
export const reportLookedAt = ({ title, isActedOn }: MailData['report-looked-at'], to: LinkTo): Letter => ({
  subject: `We looked at your report: ${title}`,
  opening: [
    isActedOn
      ? 'Thank you for telling us. An admin has looked at it and acted on it.'
      : 'Thank you for telling us. An admin has looked at it and found nothing that breaks the rules of the shop.',
  ],
  facts: [['About', title]],
  action: { label: 'To the shop', href: to('/') },
  closing: [],
});
