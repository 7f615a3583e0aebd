import { useEffect, useState, type ReactNode } from 'react';
import { verifySeller, type ListedUser } from '#contract/admin/admin.ts';
import { readPerson, type Person } from '#contract/admin/person.ts';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import type { Asked } from '#web/admin/row-action.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const SELLS_AS = { private: 'privately', trader: 'as a business', '': 'not said yet' } as const;

const factsOf = (person: Person): readonly (readonly [label: string, value: ReactNode])[] => {
  const { user, emailProven, sellsAs, business, sold, listings, reports, sameBank, sameCard } = person;
  const others = [...new Set([...sameBank, ...sameCard].map(({ name }) => name))];
  return [
    ['Here since', <Time key="since" at={user.joined} as="date" />],
    ['Email', emailProven ? 'confirmed' : 'not confirmed'],
    ['Sells', business === '' ? SELLS_AS[sellsAs] : `${SELLS_AS[sellsAs]}: ${business}`],
    ['On the shelf', formatCount(listings.onShelf)],
    ['Orders', `${formatCount(sold.orders)}, ${formatDollars(sold.taken)} taken`],
    ['Disputes', formatCount(sold.disputes)],
    ['Reports', `${formatCount(reports.about)}, ${formatCount(reports.upheld)} decided against them`],
    ['The same card or bank', others.length === 0 ? 'nobody else' : others.join(', ')],
  ];
};

/** What is known of the seller, read when the dialog is opened. */
const Facts = ({ id }: { id: string }) => {
  const [person, setPerson] = useState<Person>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isHere = true;
    call(readPerson, { params: { id } }).then(
      (read) => isHere && setPerson(read),
      (error: unknown) => isHere && setFailure(messageOf(error)),
    );
    return () => {
      isHere = false;
    };
  }, [id]);
  if (failure !== undefined) return <Notice tone="error">{failure}</Notice>;
  if (person === undefined) return <Skeleton className="h-48 w-full" />;
  return (
    <dl aria-label="What is known of them" className="flex flex-col gap-1 text-base-content">
      {factsOf(person).map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-muted">{label}</dt>
          <dd dir="auto" className="min-w-0 text-end break-words">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
};

interface Props {
  asked: Asked<ListedUser>;
  onDone: (user: ListedUser) => void;
}

/** Shows what is known of a seller, asks what was looked at, and gives them the tick. */
export const VerifyDialog = ({ asked, onDone }: Props) => {
  const verify = async (user: ListedUser, reason: string): Promise<void> => {
    const { modifiedCount } = await call(verifySeller, { params: { id: user._id }, body: { reason } });
    if (modifiedCount === 1) toast('Verified Successful');
    else toast(`${user.name} is verified already`, { tone: 'info' });
    onDone(user);
  };
  return (
    <Reasoned
      of={asked.of}
      title={`Verify ${asked.of?.name ?? ''}?`}
      confirmLabel="Verify"
      look="primary"
      hint="What you looked at, as “Shop visited, register entry seen”. Kept in the audit."
      act={verify}
      onClose={asked.close}
    >
      <div className="flex flex-col gap-4">
        {asked.of !== undefined && <Facts id={asked.of._id} />}
        <p>Buyers see a tick beside their name. You can take it back.</p>
      </div>
    </Reasoned>
  );
};
