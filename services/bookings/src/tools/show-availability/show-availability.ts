import { type Availability, type Query, routes } from '@lendtools/contracts';
import { calendarOf, type Span, type Taken } from '@lendtools/contracts/availability';
import { dayMs } from '@lendtools/contracts/local-time';
import { handle, type Identity, type Pool } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { toolNotFound } from '../../domain/errors.ts';
import { isHiddenFrom } from '../../store/block-repository.ts';
import { findRented } from '../../store/booking-repository.ts';
import { findTaken, findTools, wantedBy } from '../../store/tool-repository.ts';

/** `GET /api/rentals/:id/availability`: public. Holds are checked by the same calendar, so free dates can be held. */
export const showAvailability = ({ pool }: Deps) =>
  handle(routes.toolAvailability, async ({ params, query, user }) => {
    const availability = await findAvailability(pool, params.id, { ...query, user });
    if (!availability) throw toolNotFound('');
    return { availability };
  });

type Requested = Query<typeof routes.toolAvailability> & { user: Identity | null };

/** The caller's own carts count as free, since a new cart replaces them. The booking to be changed counts as free too. */
export const findAvailability = async (
  pool: Pool,
  toolId: string,
  { from, to, booking_id: bookingId, user }: Requested,
): Promise<Availability | undefined> => {
  const userId = user?.userId;
  const tool = (await findTools(pool, [toolId])).get(toolId);
  if (!tool || tool.removed) return undefined;
  // Read one more day at both ends, because the tool's time zone may be up to a day away from UTC.
  const requested = { fromMs: Date.parse(from) - dayMs, toMs: Date.parse(to) + 2 * dayMs };
  const found = await findTaken(pool, tool.id, requested);
  const own =
    bookingId && userId ? await findRented(pool, { bookingId, userId, toolId }) : undefined;
  if (!own && (await isHiddenFrom(pool, user, tool.ownerId))) return undefined;
  const taken = found.filter(
    (one) => one.bookingId !== own?.id && !(one.isCart && one.userId === userId),
  );
  const calendar = calendarOf(tool, { taken, nowMs: Date.now(), had: own && wantedBy(own) });
  return {
    item_status: tool.status,
    rental_circle: tool.circle,
    timeZone: tool.timeZone,
    quantity: tool.units,
    terms: tool.terms,
    days: calendar.days(from, to).map(({ intervals, ...day }) => ({
      ...day,
      ...(intervals && {
        intervals: intervals.map((one) => ({ ...toIsoSpan(one), free: one.free })),
      }),
    })),
    taken: taken.map((one: Taken) => ({ unit: one.unit, ...toIsoSpan(one), why: one.why })),
  };
};

const toIsoSpan = ({ fromMs, toMs }: Span) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
