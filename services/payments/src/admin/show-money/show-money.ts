import { type MoneyMonth, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { sumMoneyByMonth } from '../../store/money-flow-repository.ts';

/** Sums each month that is closed only once, because a month may have millions of entries. */
export const showMoney = ({ pool }: Deps) => {
  const closed = new Map<string, MoneyMonth>();
  return handle(routes.money, async ({ query: { months } }) => {
    const summed = await sumMoneyByMonth(pool, { months, known: [...closed.keys()] });
    const known = [...closed.values()];
    for (const { isClosed, ...month } of summed) if (isClosed) closed.set(month.month, month);
    return {
      months: [...summed.map(({ isClosed: _, ...month }) => month), ...known]
        .toSorted((one, other) => (one.month < other.month ? 1 : -1))
        .slice(0, months),
    };
  });
};
