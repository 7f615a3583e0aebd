import { SellerLink } from '#web/shell/data/seller-link.tsx';
import type { Booking } from '#contract/bookings/bookings.ts';

/** How a buyer reaches the seller of a book that is paid for; nothing while the shop does not tell. */
export const SellerReach = ({ booking }: { booking: Booking }) => {
  const { Seller: seller, seller_slug: slug, seller_phone: phone, seller_location: place } = booking;
  if (phone === '' && place === '') return null;
  return (
    <p className="when-open text-[0.8125rem] leading-4.5 break-words">
      <span className="text-muted">
        Reach <SellerLink name={seller} slug={slug} />:
      </span>{' '}
      {phone !== '' && (
        <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className="text-link whitespace-nowrap">
          {phone}
        </a>
      )}
      {phone !== '' && place !== '' && ' · '}
      {place}
    </p>
  );
};
