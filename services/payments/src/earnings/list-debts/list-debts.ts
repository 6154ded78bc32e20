import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { pageOfDebts } from '../../store/debt-repository.ts';
import { readEarnedBookings } from '../read-earned-bookings.ts';

export const listDebts = (deps: Deps) =>
  handle(routes.debts, async ({ query: { limit = maxPageSize, cursor } }) => {
    const after = readCursor(cursor) ?? null;
    const rows = await pageOfDebts(deps.pool, { after, limit: limit + 1 });
    const page = splitPage(
      rows.map((row) => ({ ...row, id: row.ownerId })),
      limit,
    );
    const owners = page.items.map(({ ownerId }) => ownerId);
    const { ownerNameOf } = await readEarnedBookings(deps, { bookings: [], owners });
    return {
      owners: page.items.map(({ id: ownerId, since, ...row }) => ({
        ...row,
        ownerId,
        ownerName: ownerNameOf(ownerId),
        since: since.toISOString(),
      })),
      nextCursor: page.nextCursor,
    };
  });
