import { routes, type Work } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import type { Deps } from '../../deps.ts';
import { sumStuckWork } from '../../store/stuck-transfer-repository.ts';
import { type Sum, sumWork } from '../../store/work-repository.ts';

export const workOfPayments = (deps: Deps) =>
  handle(routes.workOfPayments, async () => {
    const [{ dispute, warning, refund }, transfer, deadLetters] = await Promise.all([
      sumWork(deps.pool),
      sumStuckWork(deps.pool),
      deadLetterWork(deps),
    ]);
    return {
      work: [
        toWork('dispute', dispute),
        toWork('fraud-warning', warning),
        toWork('refund', refund),
        toWork('transfer', { ...transfer, dueAt: null }),
        deadLetters,
      ],
    };
  });

const toWork = (kind: Work['kind'], { count, since, dueAt }: Sum): Work => ({
  kind,
  count,
  since: since?.toISOString() ?? null,
  dueAt: dueAt?.toISOString() ?? null,
});
