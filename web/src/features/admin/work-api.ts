import type { Work } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';

const workApi = addEndpoints(({ query }) => ({
  workOfAccounts: query(at.workOfAccounts, { providesTags: ['Report'] }),
  workOfCatalog: query(at.workOfCatalog, {}),
  workOfBookings: query(at.workOfBookings, { providesTags: ['Booking'] }),
  workOfPayments: query(at.workOfPayments, { providesTags: ['Dispute', 'Payout'] }),
  workOfMessaging: query(at.workOfMessaging, {}),
  workOfNotifications: query(at.workOfNotifications, {}),
  money: query(at.money, {
    send: (months: number) => ({ query: { months } }),
    transformResponse: ({ months }) => months,
    providesTags: ['Payout'],
  }),
}));

export const { useMoneyQuery } = workApi;
const {
  useWorkOfAccountsQuery,
  useWorkOfCatalogQuery,
  useWorkOfBookingsQuery,
  useWorkOfPaymentsQuery,
  useWorkOfMessagingQuery,
  useWorkOfNotificationsQuery,
} = workApi;

const options = {
  pollingInterval: 60_000,
  skipPollingIfUnfocused: true,
  refetchOnMountOrArgChange: true,
} as const;

export interface AllWork {
  /** What has arrived so far; dead letters of all services are one entry. */
  work: Work[];
  isLoading: boolean;
  /** The services that did not answer. */
  missing: string[];
  error: unknown;
  retry: () => void;
}

/** What waits for an admin in all services. One that does not answer hides only its own part. */
export function useAllWork(): AllWork {
  const parts = Object.entries({
    bookings: useWorkOfBookingsQuery(undefined, options),
    payments: useWorkOfPaymentsQuery(undefined, options),
    accounts: useWorkOfAccountsQuery(undefined, options),
    catalog: useWorkOfCatalogQuery(undefined, options),
    messaging: useWorkOfMessagingQuery(undefined, options),
    notifications: useWorkOfNotificationsQuery(undefined, options),
  });
  const all = parts.flatMap(([, { data }]) => data?.work ?? []);
  const letters = all.filter(({ kind }) => kind === 'dead-letter');
  const known = letters.flatMap(({ count }) => count ?? []);
  const failed = parts.filter(([, { error }]) => error);
  return {
    work: [
      ...all.filter(({ kind }) => kind !== 'dead-letter'),
      ...letters.slice(0, 1).map((letter) => ({
        ...letter,
        count: known.length < letters.length ? null : known.reduce((sum, one) => sum + one, 0),
      })),
    ],
    isLoading: parts.every(([, { isLoading }]) => isLoading),
    missing: failed.map(([name]) => name),
    error: failed[0]?.[1].error,
    retry: () => {
      for (const [, { refetch }] of failed) void refetch();
    },
  };
}
