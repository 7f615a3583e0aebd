import type { ReactNode } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { readPerson, type Person } from '#contract/admin/person.ts';
import { confirmIdentity, IDENTITY_FROM } from '#contract/law/identity.ts';
import { liftSuspension } from '#contract/admin/suspending.ts';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { AskButton, RowAction, useAsked } from '#web/admin/row-action.tsx';
import { SuspendDialog } from './suspending.tsx';

export const meta: MetaFunction = () => pageMeta('Person');

const MISSING: Missing = {
  message: 'There is no such user. They may have left.',
  next: { to: '/dashboard/all_users', label: 'All Users' },
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, (api) => api.call(readPerson, { params: { id: params['id'] ?? '' } }), 'admin', MISSING);

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="min-w-0">
    <h2 id={id} className="mb-2 font-serif text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

const Facts = ({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
    {facts.map(([label, value]) => (
      <div key={label} className="flex justify-between gap-4 px-4 py-2.5">
        <dt className="text-muted">{label}</dt>
        <dd className="min-w-0 text-right break-words tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
);

const Orders = ({ orders }: Pick<Person, 'orders'>) =>
  orders.length === 0 ? (
    <p className="text-muted">None.</p>
  ) : (
    <ul
      aria-label="Orders, the newest first"
      className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100"
    >
      {orders.map(({ _id, side, other, title, state, at }) => (
        <li key={_id} className="px-4 py-2.5">
          <Link to={`/dashboard/orders/${_id}`} dir="auto" className="text-link">
            {title}
          </Link>
          <p className="text-sm text-muted">
            {side === 'buyer' ? `Bought from ${other}` : `Sold to ${other}`} · {state} · <Time at={at} as="date" />
          </p>
        </li>
      ))}
    </ul>
  );

const Standing = ({ person }: { person: Person }) => {
  const { user, suspension } = person;
  const { revalidate } = useRevalidator();
  const suspending = useAsked<Person['user']>();
  if (user.roles.includes('admin')) return null;
  return (
    <div className="mb-6">
      {suspension === null ? (
        <AskButton look="secondary" label="Suspend" name={user.name} onPress={(event) => suspending.ask(user, event)} />
      ) : (
        <Notice
          tone="warning"
          title="Suspended"
          action={
            <RowAction
              label="Lift suspension"
              name={user.name}
              act={async () => {
                await call(liftSuspension, { params: { id: user._id } });
                toast('Suspension lifted', { text: `${user.name} is told by email.` });
                await revalidate();
              }}
            />
          }
        >
          Since <Time at={suspension.since} as="moment" />
          {suspension.until !== null && (
            <>
              , until <Time at={suspension.until} as="moment" />
            </>
          )}
          : {suspension.reason}
        </Notice>
      )}
      <SuspendDialog asked={suspending} onDone={() => void revalidate()} />
    </div>
  );
};

const SELLS_AS = { private: 'Privately', trader: 'As a business', '': 'Not said yet' } as const;

const KNOWN: Record<Person['identity']['state'], string> = {
  none: 'Need not be known',
  asked: 'Asked for',
  paused: 'Asked for, payouts wait',
  confirmed: 'Known',
};

/** As what they sell, how much, and whether the shop knows who they are. */
const IdentityPart = ({ person }: { person: Person }) => {
  const { user, sellsAs, business, year, identity } = person;
  const { revalidate } = useRevalidator();
  const confirming = useAsked<Person['user']>();
  const confirm = async ({ _id }: Person['user'], reason: string): Promise<void> => {
    await call(confirmIdentity, { params: { id: _id }, body: { reason } });
    toast('Identity confirmed');
    await revalidate();
  };
  return (
    <Part id="identity" title="Who they are">
      <Facts
        facts={[
          ['Sells', business === '' ? SELLS_AS[sellsAs] : `${SELLS_AS[sellsAs]}: ${business}`],
          ['Sold in twelve months', `${formatCount(year.sales)} books, ${formatDollars(year.taken)}`],
          ['Identity', KNOWN[identity.state]],
          ...(identity.state === 'asked' && identity.by !== null
            ? [['Until', <Time key="by" at={identity.by} as="date" />] as const]
            : []),
          ...(identity.confirmedAt === null
            ? []
            : [
                ['Since', <Time key="since" at={identity.confirmedAt} as="date" />] as const,
                ['Looked at', identity.reason] as const,
              ]),
        ]}
      />
      {identity.state !== 'confirmed' && (
        <div className="mt-3">
          <AskButton
            look="secondary"
            label="Confirm identity"
            name={user.name}
            onPress={(event) => confirming.ask(user, event)}
          />
        </div>
      )}
      <Reasoned
        of={confirming.of}
        title={`Do we know who ${user.name} is?`}
        confirmLabel="Confirm identity"
        look="primary"
        hint="Which documents you looked at. Kept in the audit."
        act={confirm}
        onClose={confirming.close}
      >
        Who sells {IDENTITY_FROM.sales} books and {formatDollars(IDENTITY_FROM.dollars)} within twelve months has to
        show who they are. Payouts wait from ten days after they were asked until the payment provider knows them, or
        you say here what you looked at.
      </Reasoned>
    </Part>
  );
};

const rolesText = ({ roles }: Person['user']): string => (roles.length === 0 ? 'no role yet' : roles.join(', '));

/** What admins know of somebody: who they are, what they sold and bought, what was reported, where they sign in. */
const PersonPage = () => {
  const person = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  const { user, sellerSlug, emailProven, listings, bought, sold, reports, orders, signIns, sameBank, sameCard } =
    person;
  return (
    <>
      <Link to="/dashboard/all_users" className="inline-block py-2.5 text-link">
        All Users
      </Link>
      <h1 dir="auto" className="font-serif text-3xl font-semibold break-words">
        {user.name}
      </h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {user.email}
        {emailProven ? '' : ' (not confirmed)'} · {rolesText(user)}
        {user.status === 'verified' && ', verified'} · here since <Time at={user.joined} as="date" />
        {sellerSlug !== '' && (
          <>
            {' · '}
            <a href={`/seller/${encodeURIComponent(sellerSlug)}`} className="text-link">
              their page
            </a>
          </>
        )}
      </p>
      <Standing person={person} />
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-8">
          <Part id="sold" title="As a seller">
            <Facts
              facts={[
                ['On the shelf', formatCount(listings.onShelf)],
                ['Paused', formatCount(listings.paused)],
                ['Removed', formatCount(listings.removed)],
                ['Orders', `${formatCount(sold.orders)}, ${formatCount(sold.open)} under way`],
                ['Taken', formatDollars(sold.taken)],
                ['Due to them', formatDollars(sold.due)],
                ['Disputes', formatCount(sold.disputes)],
              ]}
            />
          </Part>
          <Part id="reports" title="Reports">
            <Facts
              facts={[
                ['About them', formatCount(reports.about)],
                ['Decided against them', formatCount(reports.upheld)],
                ['Made by them', formatCount(reports.by)],
              ]}
            />
          </Part>
          {user.roles.includes('seller') && <IdentityPart person={person} />}
          {sameCard.length > 0 && (
            <Part id="card" title="The same card">
              <ul className="flex flex-col gap-1">
                {sameCard.map(({ _id, name, last4 }) => (
                  <li key={_id}>
                    <Link to={`/dashboard/people/${_id}`} className="text-link">
                      {name}
                    </Link>
                    {last4 !== '' && <span className="text-muted"> with the card that ends in {last4}</span>}
                  </li>
                ))}
              </ul>
            </Part>
          )}
          {sameBank.length > 0 && (
            <Part id="bank" title="The same bank account">
              <ul className="flex flex-col gap-1">
                {sameBank.map(({ _id, name }) => (
                  <li key={_id}>
                    <Link to={`/dashboard/people/${_id}`} className="text-link">
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </Part>
          )}
          <Part id="sign-ins" title="Sign-ins">
            {signIns.length === 0 ? (
              <p className="text-muted">None that last.</p>
            ) : (
              <Facts
                facts={signIns.map(({ device, since, usedAt }, place) => [
                  `${place + 1}. ${device}`,
                  <span key={since} className="text-sm">
                    since <Time at={since} as="date" />, used <Time at={usedAt} as="moment" />
                  </span>,
                ])}
              />
            )}
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Part id="bought" title="As a buyer">
            <Facts
              facts={[
                ['Orders', `${formatCount(bought.orders)}, ${formatCount(bought.open)} under way`],
                ['Paid', formatDollars(bought.paid)],
                ['Given back', formatDollars(bought.refunded)],
                ['Disputes', formatCount(bought.disputes)],
              ]}
            />
          </Part>
          <Part id="orders" title="Orders">
            <Orders orders={orders} />
          </Part>
        </div>
      </div>
    </>
  );
};
export default PersonPage;
