import { routes } from '@lendtools/contracts';
import { handle, inTransaction, schedule, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { lockCaller } from '../../second-factors/lock-caller.ts';
import { insertExport } from '../../store/data-export-repository.ts';

export const requestDataExport = ({ pool, quotas }: Deps) =>
  handle(routes.requestDataExport, async ({ user: caller }) => {
    await inTransaction(pool, async (tx) => {
      const { id: userId } = await lockCaller(tx, caller);
      await spend(tx, userId, quotas.dataExports);
      await schedule(tx, 'make-data-export', await insertExport(tx, userId));
    });
    return { message: 'We collect your data, and email you a link once the file is ready.' };
  });
