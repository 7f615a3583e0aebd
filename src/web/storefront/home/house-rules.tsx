import type { ReactNode } from 'react';
import type { Block, Piece, ShopTexts } from '#contract/law/texts.ts';

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

const Words = ({ piece: { text, look, href } }: { piece: Piece }) => {
  const words = look === 'strong' ? <strong>{text}</strong> : look === 'emphasis' ? <em>{text}</em> : text;
  return href === '' ? (
    words
  ) : (
    <a href={href} className="text-link">
      {words}
    </a>
  );
};

const Line = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map((piece, place) => <Words key={`${place} ${piece.text}`} piece={piece} />);

const TextBlock = ({ block: { kind, lines } }: { block: Block }) => {
  const [first = []] = lines;
  if (kind === 'heading')
    return (
      <h3 className="font-semibold text-base-content">
        <Line pieces={first} />
      </h3>
    );
  if (kind === 'paragraph')
    return (
      <p className="whitespace-pre-line">
        <Line pieces={first} />
      </p>
    );
  return (
    <ul className="list-disc ps-5">
      {lines.map((pieces, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text does not change while it is looked at
        <li key={place}>
          <Line pieces={pieces} />
        </li>
      ))}
    </ul>
  );
};

/** What whoever runs the shop wrote. */
const Text = ({ id, title, text: { version, blocks } }: { id: string; title: string; text: ShopTexts['terms'] }) => (
  <Section id={id} title={title}>
    <div className="flex max-w-prose flex-col gap-3 text-muted">
      {blocks.map((block, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <TextBlock key={place} block={block} />
      ))}
      <p className="text-sm">Version {version}</p>
    </div>
  </Section>
);

/**
 * Questions, privacy, terms, right of withdrawal and imprint; `fees`: who keeps what of a sale, undefined where nobody
 * does. Where the footer's links lead.
 */
export const HouseRules = ({ fees, texts }: { fees: string | undefined; texts: ShopTexts }) => (
  <>
    <div className="flex flex-col gap-10">
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
      <Text id="withdrawal" title="Right of withdrawal" text={texts.withdrawal} />
    </div>
    <div className="flex flex-col gap-10">
      <Text id="privacy" title="Privacy Policy" text={texts.privacy} />
      <Text id="terms" title="Terms & Conditions" text={texts.terms} />
      <Text id="imprint" title="Imprint" text={texts.imprint} />
    </div>
  </>
);
