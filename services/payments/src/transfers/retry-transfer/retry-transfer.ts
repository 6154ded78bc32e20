import { routes } from '@lendtools/contracts';
import { handle, inTransaction, schedule } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { transferNotFound } from '../../domain/errors.ts';
import { resumeShare } from '../../store/stuck-transfer-repository.ts';
import { shareKey } from '../../store/transfer-repository.ts';

/** The task checks what still stops the transfer, and looks at Stripe before it sends again. */
export const retryTransfer = ({ pool }: Deps) =>
  handle(routes.retryTransfer, async ({ params }) => {
    await inTransaction(pool, async (tx) => {
      if (!(await resumeShare(tx, params))) throw transferNotFound();
      await schedule(tx, 'send-transfer', shareKey(params));
    });
    return { message: 'The transfer is tried again now.' };
  });
