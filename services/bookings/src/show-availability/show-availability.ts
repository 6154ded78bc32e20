import { type Availability, routes } from '@lendtools/contracts';
import { calendarOf, type Span, type Taken } from '@lendtools/contracts/availability';
import { dayMs } from '@lendtools/contracts/local-time';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { toolNotFound } from '../errors.ts';
import { findTaken, findTools } from '../tool-repository.ts';

/**
 * `GET /api/rentals/:id/availability`: public, like the tool. By the same calendar as a hold: what it calls free is given,
 * and nothing else. Who asks is not kept from a tool by what they hold themselves, since a new cart of theirs gives it up.
 */
export const showAvailability = ({ pool }: Deps) =>
  handle(routes.toolAvailability, async ({ params, query, user }) => {
    const tool = (await findTools(pool, [params.id])).get(params.id);
    if (!tool || tool.removed) throw toolNotFound('');
    // A day more at both ends: days of places begin at other times.
    const asked = {
      fromMs: Date.parse(query.from) - dayMs,
      toMs: Date.parse(query.to) + 2 * dayMs,
    };
    const found = await findTaken(pool, tool.id, asked);
    const taken = found.filter(({ why, userId }) => why === 'booked' || userId !== user?.userId);
    const calendar = calendarOf(tool, { taken, nowMs: Date.now() });
    const availability: Availability = {
      item_status: tool.status,
      rental_circle: tool.circle,
      timeZone: tool.timeZone,
      quantity: tool.units,
      terms: tool.terms,
      days: calendar.days(query.from, query.to).map(({ intervals, ...day }) => ({
        ...day,
        ...(intervals && {
          intervals: intervals.map((one) => ({ ...inWords(one), free: one.free })),
        }),
      })),
      taken: taken.map((one: Taken) => ({ unit: one.unit, ...inWords(one), why: one.why })),
    };
    return { availability };
  });

const inWords = ({ fromMs, toMs }: Span) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
