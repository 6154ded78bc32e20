import type { Booking, ListedTool, StripeObject, User } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Text, Title } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { errorStatus } from '../../api/error-message.ts';
import { usePermission } from '../../api/use-permission.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { TableSkeleton } from '../../ui/paged-table.tsx';
import classes from './admin.module.css';
import {
  useBookingByIdQuery,
  useFoundBookingsQuery,
  useFoundToolsQuery,
  useFoundUsersQuery,
  useStripeObjectQuery,
  useUserByIdQuery,
} from './lists-api.ts';

interface Hit {
  id: string;
  to: string;
  title: string;
  about: string;
}
type FoundBooking = StripeObject['bookings'][number] | Booking;
interface Group {
  title: string;
  hits: Hit[];
  /** The whole list, filtered by the same words. */
  all?: string;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const stripeId = /^(?:pi|re|pyr|tr|trr|dp|du|acct|po)_\w+$/;

function toUser({ id, first_name, last_name, email }: User): Hit {
  const title = `${first_name} ${last_name}`.trim();
  return { id, to: paths.ofId(paths.user, id), title, about: email };
}

function toBooking({ id, booking_code, name, booking_status }: FoundBooking): Hit {
  const title = `${name}, ${booking_code}`;
  return { id, to: paths.ofId(paths.adminBooking, id), title, about: booking_status };
}

function toTool({ id, name, owner, category }: ListedTool): Hit {
  const about = `${category}, of ${owner.first_name} ${owner.last_name}`;
  return { id, to: paths.ofId(paths.tool, id), title: name, about };
}

function ofStripe({ kind, ownerId, bookings }: StripeObject): Group[] {
  const owner = {
    id: ownerId ?? '',
    to: paths.ofId(paths.user, ownerId ?? ''),
    title: 'The owner',
  };
  const isOfOwner = kind === 'account' || kind === 'payout';
  return [
    { title: `Booking of this ${kind}`, hits: bookings.map(toBooking) },
    {
      title: `Owner of this ${kind}`,
      hits: ownerId && isOfOwner ? [{ ...owner, about: 'Their page has the payouts' }] : [],
    },
    {
      title: 'Disputes',
      hits:
        kind === 'dispute' && bookings.length !== 1
          ? [{ id: kind, to: paths.disputes, title: 'All disputes', about: 'This is one of them' }]
          : [],
    },
  ];
}

function filtered(page: string, q: string): string {
  return `${page}?${new URLSearchParams({ q })}`;
}

/** Searches payments for a Stripe id, the services for a UUID, and all lists for other text. */
function useFound(q: string) {
  const isStripe = stripeId.test(q);
  const isId = uuid.test(q);
  const byWords = { skip: q === '' || isStripe || isId };
  const byId = { skip: !isId };
  const maySearchStripe = usePermission('money');
  const stripe = useStripeObjectQuery(q, { skip: !isStripe || !maySearchStripe });
  const users = useFoundUsersQuery(q, byWords);
  const bookings = useFoundBookingsQuery(q, byWords);
  const tools = useFoundToolsQuery(q, { skip: q === '' || isStripe });
  const user = useUserByIdQuery(q, byId);
  const booking = useBookingByIdQuery(q, byId);
  const all = [stripe, users, bookings, tools, user, booking];
  const found = {
    users: [...(users.currentData ?? []), ...(user.currentData ? [user.currentData] : [])],
    bookings: [
      ...(bookings.currentData ?? []),
      ...(booking.currentData ? [booking.currentData] : []),
    ],
  };
  const groups: Group[] = [
    ...(stripe.currentData ? ofStripe(stripe.currentData) : []),
    { title: 'Bookings', hits: found.bookings.map(toBooking), all: filtered(paths.allBookings, q) },
    { title: 'Users', hits: found.users.map(toUser), all: filtered(paths.users, q) },
    {
      title: 'Tools',
      hits: (tools.currentData ?? []).map(toTool),
      all: filtered(paths.adminTools, q),
    },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isLoading: all.some(({ isFetching }) => isFetching),
    // An id belongs to one service only, so the others reply 404.
    error: all.map(({ error }) => error).find((error) => error && errorStatus(error) !== 404),
    retry: () => {
      for (const { error, refetch } of all) if (error) void refetch();
    },
  };
}

function HitGroup({ group }: { group: Group }) {
  const { title, hits, all } = group;
  return (
    <section aria-label={title}>
      <Title order={2} fz="h3" mt="lg" mb="xs">
        {title}
      </Title>
      <ul className={classes.hits}>
        {hits.slice(0, 5).map((hit) => (
          <li key={hit.id}>
            <Anchor component={Link} to={hit.to} fw={600}>
              {hit.title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {hit.about}
            </Text>
          </li>
        ))}
      </ul>
      {all && hits.length > 5 && (
        <Anchor component={Link} to={all} size="sm">
          All {title.toLowerCase()} with these words
        </Anchor>
      )}
    </section>
  );
}

/** Redirects to the only result, or lists several. */
export default function SearchPage() {
  const [query] = useSearchParams();
  const q = (query.get('q') ?? '').trim().slice(0, 100);
  const { groups, isLoading, error, retry } = useFound(q);
  const hits = groups.flatMap(({ hits: some }) => some);
  const [only] = hits;
  if (only && hits.length === 1 && !isLoading && !error) return <Navigate to={only.to} replace />;
  return (
    <>
      <PageHeader title="Search" intro={q && `Found by “${q}”`} />
      {isLoading && <TableSkeleton />}
      {!isLoading && error !== undefined && <ErrorState error={error} onRetry={retry} />}
      {!isLoading && groups.map((group) => <HitGroup key={group.title} group={group} />)}
      {!isLoading && !error && hits.length === 0 && (
        <EmptyState icon={IconSearchOff} title={q ? 'Nothing found' : 'Search everything'}>
          A booking code, an email, part of a name, a tool, an id, or a Stripe id such as pi_…,
          re_…, tr_…, dp_… or acct_….
        </EmptyState>
      )}
    </>
  );
}
