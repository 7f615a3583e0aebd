import type { ReactNode } from 'react';
import { TERMS_VERSION } from '#contract/terms.ts';

const costsOf = (fees: string | undefined): string =>
  `Buyers pay the price of the book, the postage where it is posted, and no fee. ${
    fees === undefined ? 'All of it is the seller’s.' : `Of each sale ${fees}; the rest is the seller’s.`
  }`;

const questionsOf = (fees: string | undefined) => [
  {
    question: 'How do I buy a book?',
    answer:
      'Press Book Now on the copy you want, sign in, and confirm. The copy is then kept for you for a short while; pay by card in My Orders and it is yours.',
  },
  {
    question: 'Can somebody else take a book I booked?',
    answer:
      'No. A copy exists once, so a booking reserves it for you alone. If you do not pay in time the copy goes back on the shelf, and you can still pay later if it is free.',
  },
  {
    question: 'What if the book does not come, or is not as described?',
    answer:
      'You have your money back. Your order says by when it is posted and how long you can complain; its seller is paid after that.',
  },
  {
    question: 'How do I sell?',
    answer:
      'Make an account, choose Seller, and list your book with its condition and price in Add A Product. It appears on the shelves at once.',
  },
  { question: 'What does it cost?', answer: costsOf(fees) },
  {
    question: 'What does the tick beside a seller mean?',
    answer: 'That we have checked who they are. Sellers without it are new, not worse.',
  },
];

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6">
    <h2 id={`${id}-title`} className="mb-4 font-serif text-2xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

/**
 * Questions, privacy and terms; `fees`: who keeps what of a sale, undefined where nobody does. Where the footer's links
 * lead.
 */
export const HouseRules = ({ fees }: { fees: string | undefined }) => (
  <>
    <Section id="faq" title="F.A.Q">
      <div className="flex flex-col divide-y divide-base-300 border-y border-base-300">
        {questionsOf(fees).map((item) => (
          <details key={item.question} className="py-3">
            <summary className="py-1 font-medium">{item.question}</summary>
            <p className="mt-2 max-w-prose text-muted">{item.answer}</p>
          </details>
        ))}
      </div>
    </Section>
    <div className="flex flex-col gap-10">
      <Section id="privacy" title="Privacy Policy">
        <div className="flex max-w-prose flex-col gap-3 text-muted">
          <p>
            We keep what the shop needs: your name and email address, what you list, book and pay for, and when and from
            what kind of browser you signed in. You can download it or delete your account at any time.
          </p>
          <p>
            Anyone signed in whose own email address is confirmed sees a seller’s email address and phone number. A
            seller sees your phone number and place, or the address a book is posted to, only after you have paid, and
            for a limited time. Card details go straight to our payment provider and never reach us.
          </p>
          <p>
            Pictures of books and people come from this shop: one given by its address is fetched once, by us, so no
            other server learns who looks at it. We load no advertisements and no visitor statistics.
          </p>
          <p>
            Cookies keep you signed in, carry a sign-in through another service, recognise a browser you signed in from
            before, and note a sign-out that could not reach the shop. There are no others.
          </p>
        </div>
      </Section>
      <Section id="terms" title="Terms & Conditions">
        <div className="flex max-w-prose flex-col gap-3 text-muted">
          <p>
            Sellers describe their copies truthfully and hand over the very copy they listed. Buyers pay the price they
            booked at, the postage they were shown, and no fee
            {fees === undefined ? '' : `; of each sale ${fees}, and the rest is the seller’s`}. Of postage the shop
            keeps nothing. A booking that is not paid in time lapses, and the copy goes back on the shelf.
          </p>
          <p>
            A seller who does not post or hand over in time is cancelled, and all of the money goes back. So it does
            where a book does not come, is damaged or not as described, and the buyer says so within the time shown on
            the order. The seller is paid after that.
          </p>
          <p>Version {TERMS_VERSION}</p>
        </div>
      </Section>
    </div>
  </>
);
