import type { ReactNode } from 'react';
import { Link, useRevalidator } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice, type NoticeTone } from '#web/ui/states.tsx';

const ToOrders = () => (
  <Link to="/dashboard/my_orders" className={buttonClass('secondary')}>
    My Orders
  </Link>
);

export const ToShelves = () => (
  <Link to="/categories" className={buttonClass()}>
    Find another book
  </Link>
);

/** What the shop said, and that nothing was charged unless it said so itself. */
const reassured = (error: unknown): string => {
  const said = messageOf(error).replace(/\.?$/, '.');
  return said.includes('charged') ? said : `${said} Nothing was charged.`;
};

const Told = ({
  tone,
  title,
  children,
  action,
}: {
  tone: NoticeTone;
  title: string;
  children: ReactNode;
  action: ReactNode;
}) => (
  <Notice tone={tone} title={title} action={<div className="flex flex-wrap gap-3">{action}</div>}>
    {children}
  </Notice>
);

interface Prices {
  /** What the page was opened with. */
  before: number;
  /** The newest that is known; the same when nothing else is. */
  now: number;
}

const PriceChanged = ({ price: { before, now } }: { price: Prices }) => {
  const { revalidate, state } = useRevalidator();
  const isKnown = now !== before;
  return (
    <Told
      tone="error"
      title="The price has changed"
      action={
        <>
          <Button busy={state === 'loading'} onClick={() => void revalidate()}>
            {isKnown ? `Go on with ${formatDollars(now)}` : 'Show the new price'}
          </Button>
          <ToOrders />
        </>
      }
    >
      {isKnown && `It was ${formatDollars(before)} when you opened this page and is ${formatDollars(now)} now. `}
      Nothing was charged.
    </Told>
  );
};

/** Takes the focus over from the form it has taken the place of; from nothing else. */
const takeOver = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};

interface Props {
  error: unknown;
  price: Prices;
  onRetry: () => void;
}

/** Why this booking cannot be paid now, and the next step. */
export const PaymentRefused = (props: Props) => (
  <div ref={takeOver} tabIndex={-1} className="outline-none">
    <Reason {...props} />
  </div>
);

const Reason = ({ error, price, onRetry }: Props) => {
  const again = <Button onClick={onRetry}>Try again</Button>;
  const code = error instanceof ApiError ? error.code : undefined;
  switch (code) {
    case 'already_paid':
      return (
        <Told tone="success" title="This booking is paid already" action={<ToOrders />}>
          Nothing more was charged.
        </Told>
      );
    case 'price_changed':
      return <PriceChanged price={price} />;
    case 'hold_lost':
    case 'copy_taken':
    case 'copy_locked':
      // With a time to wait the copy is only just being let go of.
      if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
        return (
          <Told tone="error" title="One moment, please" action={again}>
            {reassured(error)}
          </Told>
        );
      }
      return (
        <Told
          tone="error"
          title="This copy is gone"
          action={
            <>
              <ToShelves />
              <ToOrders />
            </>
          }
        >
          {reassured(error)}
        </Told>
      );
    case 'too_many':
      return (
        <Told
          tone="error"
          title="Not just now"
          action={
            <>
              <ToOrders />
              {again}
            </>
          }
        >
          {reassured(error)}
        </Told>
      );
    default:
      return (
        <Told
          tone="error"
          title="The payment could not be prepared"
          action={
            <>
              {again}
              <ToOrders />
            </>
          }
        >
          {reassured(error)}
        </Told>
      );
  }
};
