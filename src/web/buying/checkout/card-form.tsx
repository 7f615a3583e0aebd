import { SELLS_AS_WORDS } from '#contract/law/withdrawal.ts';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useMemo, useRef, useState, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { useRevalidator } from 'react-router';
import type { Stripe } from '@stripe/stripe-js';
import type { BookingDetail } from '#contract/bookings/bookings.ts';
import { dollarsOf, formatDollars, parseCents } from '#contract/money/money.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { useTheme } from '#web/shell/theme/theme.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { focusFirstProblem } from '#web/ui/field.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { cardStyle } from './card-style.ts';
import { ContactFields, useContact } from '#web/buying/delivery/contact-fields.tsx';
import { AddressFields, DeliveryChoice } from '#web/buying/delivery/delivery-fields.tsx';
import { sumOf, whyNot, type Bought, type Wish } from '#web/buying/delivery/parcel.ts';
import { payByCard, payByWallet, type ConfirmedWallet, type PaymentOutcome } from './pay.ts';
import { PayTogether } from '#web/buying/delivery/pay-together.tsx';
import { isFinal } from './refusal.ts';
import { wordsOf } from './payment-problem.ts';
import { TestBanner, WhatNext } from './payment-parts.tsx';
import { Total } from './total.tsx';
import { TotalChanged } from './total-changed.ts';
import { Wallets } from './wallets.tsx';
import type { Delivery } from '#web/buying/delivery/use-delivery.ts';
import type { Asked, Intent } from './use-intent.ts';

interface Props {
  /** As it is known by now: its price, and until when it is held. */
  booking: BookingDetail;
  /** What else can be paid for with it. */
  others: readonly BookingDetail[];
  delivery: Delivery;
  billing: { name: string; email: string };
  intent: Intent;
  /** No money moves. */
  isTest: boolean;
  /** The provider has taken the money. */
  onTaken: (transactionId: string, bought: Bought) => void;
}

const NOT_TOGETHER =
  'These books cannot be paid together any more. Nothing was charged. Pay for this one by itself, or choose again.';

/** The card form; must be inside `Elements`. */
export const CardForm = ({ booking, others, delivery, billing, intent, isTest, onTaken }: Props) => {
  const stripe = useStripe();
  const elements = useElements();
  const theme = useTheme();
  const timeZone = useTimeZone();
  const { revalidate } = useRevalidator();
  const contact = useContact(booking);
  const [isReady, setReady] = useState(false);
  const [isPaying, setPaying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const [told, setTold] = useState<{ about: string; asked: Asked }>();
  const button = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // oxlint-disable-next-line react/exhaustive-deps -- the colours are read from the page, which the theme has changed
  const options = useMemo(() => ({ style: cardStyle(), hidePostalCode: true }), [theme]);
  const isAsked = intent.state.kind === 'ready' || intent.state.kind === 'unasked';
  const isDisabledWallet = stripe === null || !isAsked || isPaying;
  const isDisabled = isDisabledWallet || !isReady;

  const { way, address } = delivery;
  const chosen = others.filter(
    (other) => chosenIds.includes(other._id) && whyNot(other, way, address.country) === undefined,
  );
  const price = intent.state.kind === 'ready' ? intent.state.price : booking.price;
  const books = [{ ...booking, price }, ...chosen] as const;
  const sum = sumOf(books, way, address.country);
  const about = [way, address.country, sum.totalCents, ...chosen.map(({ _id }) => _id)].join(' ');
  // What the shop said of the very same counts more than what was reckoned here.
  const answer = told?.about === about ? told.asked : undefined;
  const total = answer?.total ?? dollarsOf(sum.totalCents);
  const postage = answer?.postage ?? dollarsOf(sum.postageCents);
  const names = books.map(({ title, price: each }) => ({ name: books.length === 1 ? 'Price' : title, price: each }));
  const lines = answer === undefined ? names : [{ name: 'Price', price: total - postage }];

  const wish: Wish = {
    ...(chosen.length > 0 && { bookingIds: [booking._id, ...chosen.map(({ _id }) => _id)] }),
    delivery: way,
    ...(way === 'post' && { address }),
  };
  /** The client secret of an intent for what is on show, at that total; how the buyer is reached is kept first. */
  const clientSecret = async (): Promise<string> => {
    if (way === 'pickup') await contact.save();
    const asked = await intent.renew(wish);
    if (asked.total === total) return asked.clientSecret;
    // Both as the next press of the button finds them.
    setTold({ about, asked });
    void revalidate();
    throw new TotalChanged({ shown: total, ...asked });
  };

  /** Shows why it cannot be paid, where the form has a place for that. */
  const show = (error: unknown): boolean => {
    if (error instanceof TotalChanged) {
      setProblem(error.message);
      return true;
    }
    if (error instanceof ApiError && error.code === 'bad_request') {
      let isShown = false;
      flushSync(() => {
        isShown = delivery.show(error.fields);
        if (!isShown) setProblem(Object.values(error.fields).join('. '));
        setPaying(false);
      });
      focusFirstProblem(form.current);
      // The seller may offer other ways by now.
      if (!isShown || 'country' in error.fields) void revalidate();
      return true;
    }
    if (!isFinal(error)) {
      setProblem(messageOf(error));
      return true;
    }
    // Which of them stands in the way shows in the list of them, read anew, or when this one is paid for alone.
    if (chosen.length === 0) return false;
    setChosenIds([]);
    setProblem(NOT_TOGETHER);
    void revalidate();
    return true;
  };

  /** Whether all that is asked for beside the card is filled in rightly; what is not has the focus then. */
  const checkFields = (): boolean => {
    setProblem(undefined);
    let isRight = false;
    flushSync(() => {
      isRight = way === 'pickup' ? contact.check() : delivery.check();
    });
    if (!isRight) focusFirstProblem(form.current);
    return isRight;
  };

  const pay = async (by: (client: Stripe) => Promise<PaymentOutcome>): Promise<void> => {
    if (stripe === null) return;
    setPaying(true);
    try {
      const outcome = await by(stripe);
      if (outcome.kind === 'taken') {
        delivery.settle();
        const { daysToPost } = sum;
        return onTaken(outcome.transactionId, { books: books.length, address: wish.address, daysToPost });
      }
      setProblem(wordsOf(outcome, booking, timeZone));
    } catch (error) {
      if (!show(error)) return intent.refuse(error);
    }
    flushSync(() => setPaying(false));
    // Disabling the button took the focus from it; a field the provider has moved to keeps it.
    if (document.activeElement === document.body) button.current?.focus();
  };

  const payWithCard = (): void => {
    const card = elements?.getElement(CardElement) ?? null;
    if (isDisabled || card === null || !checkFields()) return;
    void pay((client) => payByCard({ stripe: client, card, billing, clientSecret }));
  };
  const payWithWallet = (wallet: ConfirmedWallet): void => {
    // What was filled in as its button was pressed may not be any more.
    if (isDisabledWallet || !checkFields()) return wallet.fail();
    void pay((client) => payByWallet({ stripe: client, wallet, clientSecret }));
  };

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      aria-label="Payment"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        payWithCard();
      }}
    >
      <DeliveryChoice delivery={delivery} books={books} />
      {way === 'post' ? (
        <AddressFields delivery={delivery} />
      ) : (
        <ContactFields seller={booking.Seller} contact={contact} />
      )}
      {others.length > 0 && (
        <PayTogether
          booking={booking}
          others={others}
          chosen={chosen}
          delivery={delivery}
          onChoose={(id, isChosen) =>
            setChosenIds((old) => (isChosen ? [...old, id] : old.filter((other) => other !== id)))
          }
        />
      )}
      <Wallets
        stripe={stripe}
        totalCents={parseCents(total) ?? sum.totalCents}
        check={() => !isDisabledWallet && checkFields()}
        onConfirm={payWithWallet}
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="card-element" className="text-sm font-semibold">
          Card
        </label>
        {!isReady && <Skeleton className="h-32 w-full" />}
        <CardElement
          id="card-element"
          className={classes(
            'rounded-field border border-base-content/30 bg-base-100 px-3 py-3 has-focus-visible:border-primary [&.StripeElement--focus]:border-primary [&.StripeElement--invalid]:border-error',
            !isReady && 'invisible absolute',
          )}
          options={options}
          onReady={() => setReady(true)}
          onChange={(event) => setProblem(event.error?.message)}
        />
      </div>
      {isTest && <TestBanner />}
      <Total lines={lines} postage={way === 'post' ? postage : undefined} total={total} />
      {/* Has the focus again after a refusal, and what was said of that below it in sight. */}
      <Button ref={button} type="submit" disabled={isDisabled} className="scroll-mb-24">
        {isPaying && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {isPaying ? 'Paying…' : `Pay ${formatDollars(total)}`}
      </Button>
      <p role="alert" className="text-error empty:hidden">
        {problem}
      </p>
      <p className="text-sm text-muted">
        By paying you agree to the{' '}
        <a href="/#terms" target="_blank" className="text-link">
          Terms & Conditions<span className="sr-only"> (in a new tab)</span>
        </a>
        . {SELLS_AS_WORDS[booking.sellsAs]}{' '}
        {booking.sellsAs === 'trader' && (
          <a href={`/seller/${booking.seller_slug}#sells-as`} target="_blank" className="text-link">
            Who the business is<span className="sr-only"> (in a new tab)</span>
          </a>
        )}
      </p>
      <WhatNext way={way} seller={booking.Seller} days={sum.daysToPost} books={books.length} />
    </form>
  );
};
