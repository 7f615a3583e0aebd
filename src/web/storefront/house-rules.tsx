import type { ReactNode } from 'react';

const QUESTIONS = [
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
    question: 'How do I sell?',
    answer:
      'Make an account, choose Seller, and list your book with its condition and price in Add A Product. It appears on the shelves at once.',
  },
  {
    question: 'What does the tick beside a seller mean?',
    answer: 'That we have checked who they are. Sellers without it are new, not worse.',
  },
] as const;

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6">
    <h2 id={`${id}-title`} className="mb-4 font-serif text-2xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

/** Questions, privacy and terms: where the footer's links lead. */
export const HouseRules = () => (
  <div className="page grid gap-12 py-12 lg:grid-cols-2">
    <Section id="faq" title="F.A.Q">
      <div className="flex flex-col divide-y divide-base-300 border-y border-base-300">
        {QUESTIONS.map((item) => (
          <details key={item.question} className="py-3">
            <summary className="py-1 font-medium">{item.question}</summary>
            <p className="mt-2 max-w-prose text-muted">{item.answer}</p>
          </details>
        ))}
      </div>
    </Section>
    <div className="flex flex-col gap-10">
      <Section id="privacy" title="Privacy Policy">
        <p className="max-w-prose text-muted">
          We keep your name, your address and what you list or book, because the shop needs them, and nothing else. A
          seller sees your phone number only after you have paid. Card details go to the payment provider and never
          reach us. No page loads anything that watches you.
        </p>
      </Section>
      <Section id="terms" title="Terms & Conditions">
        <p className="max-w-prose text-muted">
          Sellers describe their copies truthfully and hand over the very copy they listed. Buyers pay the price they
          booked at. A booking that is not paid in time lapses, and the copy goes back on the shelf.
        </p>
      </Section>
    </div>
  </div>
);
