import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { sumMoneyByMonth } from '../../store/money-flow-repository.ts';

export const showMoney = ({ pool }: Deps) =>
  handle(routes.money, async ({ query }) => ({
    months: await sumMoneyByMonth(pool, query.months),
  }));
