import { internalRoutes, type ListedPayment } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { publishedSums, succeededData } from '../../store/payment-events.ts';
import { paymentsSince } from '../../store/payment-repository.ts';

export const listSucceededPayments = ({ pool }: Deps) =>
  handle(internalRoutes.succeededPayments, ({ query }) =>
    listPage(pool, query, async (range) =>
      (await paymentsSince(pool, range)).map((row) => {
        const { at, payment, hasChangedAtStripe, publishedShares, sharesVersion } = row;
        const { id: key, version, state } = payment;
        const hasReservedRefund = 'reservedCents' in state && state.reservedCents > 0;
        const item: ListedPayment = {
          ...succeededData(payment),
          mayBeBooked: state.status === 'succeeded' && !hasReservedRefund,
          ...(hasChangedAtStripe && { atStripe: { version, ...publishedSums(payment) } }),
          ...(publishedShares && { shares: { version: sharesVersion, gone: publishedShares } }),
        };
        return { at, key, item };
      }),
    ),
  );
