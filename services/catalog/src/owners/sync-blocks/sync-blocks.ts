import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { storeBlock } from '../../store/block-repository.ts';

/** Copies who blocks whom: neither sees the other's tools. */
export const syncBlocks = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-blocks', pool, ({ data, version }, tx) =>
    storeBlock(tx, data, version),
  );
