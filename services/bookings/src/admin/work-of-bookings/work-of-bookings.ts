import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import type { Deps } from '../../deps.ts';
import { completesAt } from '../../domain/booking.ts';
import { sumOverdue } from '../../store/booking-view.ts';
import { sumOpenProblems } from '../../store/problem-repository.ts';

export const workOfBookings = (deps: Deps) =>
  handle(routes.workOfBookings, async () => {
    const { pool, config } = deps;
    const [problems, returns, deadLetters] = await Promise.all([
      sumOpenProblems(pool),
      sumOverdue(pool),
      deadLetterWork(deps),
    ]);
    const { since } = returns;
    const dueAt =
      since && completesAt({ returnedAt: null, endsAt: since }, config.COMPLETE_AFTER_HOURS);
    return {
      work: [
        {
          kind: 'problem' as const,
          count: problems.count,
          since: problems.since?.toISOString() ?? null,
          dueAt: null,
        },
        {
          kind: 'return' as const,
          count: returns.count,
          since: since?.toISOString() ?? null,
          dueAt: dueAt?.toISOString() ?? null,
        },
        deadLetters,
      ],
    };
  });
