import { lastInitialOf, mostBlocks, routes } from '@lendtools/contracts';
import { handle, inTransaction, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { blockIsYourself, tooManyBlocks, userNotFound } from '../../domain/errors.ts';
import { block, listBlocked, lockAndCountBlocked, unblock } from '../../store/block-repository.ts';
import { lockWhetherDeleted } from '../../store/user-repository.ts';

/** `GET /api/user/:userId/blocks` */
export const blockedPeople = ({ pool }: Deps) =>
  handle(routes.blockedPeople, async ({ user }) => {
    const people = await listBlocked(pool, user.userId);
    return {
      people: people.map(({ id, firstName, lastName, image, blockedAt }) => ({
        id,
        first_name: firstName,
        last_name: lastInitialOf({ firstName, lastName }),
        image,
        blockedAt: blockedAt.toISOString(),
      })),
    };
  });

/** `PUT /api/user/:userId/blocks/:id`: catalog, bookings and messaging copy the block by its event. */
export const blockPerson = ({ pool, quotas }: Deps) =>
  handle(routes.blockPerson, async ({ params: { id: blockedId }, user: { userId: blockerId } }) => {
    if (blockedId === blockerId) throw blockIsYourself();
    await spend(pool, blockerId, quotas.blocks);
    await inTransaction(pool, async (tx) => {
      if ((await lockWhetherDeleted(tx, blockedId)) !== false) throw userNotFound();
      // A repeat at the limit is rejected too, which changes nothing.
      if ((await lockAndCountBlocked(tx, blockerId)) >= mostBlocks) throw tooManyBlocks();
      await block(tx, { blockerId, blockedId });
    });
    return { message: 'Blocked' };
  });

/** `DELETE /api/user/:userId/blocks/:id` */
export const unblockPerson = ({ pool, quotas }: Deps) =>
  handle(routes.unblockPerson, async ({ params, user: { userId: blockerId } }) => {
    await spend(pool, blockerId, quotas.blocks);
    await inTransaction(pool, (tx) => unblock(tx, { blockerId, blockedId: params.id }));
    return { message: 'No longer blocked' };
  });
