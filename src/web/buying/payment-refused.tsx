import type { ReactNode } from 'react';
import { Link, useRevalidator } from 'react-router';
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

/** Why this booking cannot be paid now, and the next step. */
export const PaymentRefused = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { revalidate, state } = useRevalidator();
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
      return (
        <Told
          tone="warning"
          title="The price has changed"
          action={
            <Button busy={state === 'loading'} onClick={() => void revalidate()}>
              Show the new price
            </Button>
          }
        >
          Nothing was charged. Look at the new price and decide again.
        </Told>
      );
    case 'hold_lost':
    case 'copy_taken':
    case 'copy_locked':
      // With a time to wait the copy is only just being let go of.
      if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
        return (
          <Told tone="warning" title="One moment, please" action={again}>
            {reassured(error)}
          </Told>
        );
      }
      return (
        <Told
          tone="warning"
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
          tone="warning"
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
