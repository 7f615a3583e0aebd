import { rowWords, type OrderRow } from '#contract/orders/order-row.ts';
import { classes } from '#web/ui/classes.ts';
import { DeadlineText } from './deadline-text.tsx';

/** What happens next with an order, and when; it stands out where whoever reads it is asked. */
export const OrderLine = ({ order, side }: { order: OrderRow; side: 'buyer' | 'seller' }) => {
  const { text, at, isYours } = rowWords(order, side);
  return (
    <span className={classes('text-sm', isYours ? 'text-base-content' : 'text-muted')}>
      <DeadlineText text={text} at={at} as={order.closedAt === null ? 'soon' : 'date'} />
    </span>
  );
};
