import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Copies who blocks whom: neither can write to the other, except about a booking or request that is not over. */
export const syncBlocks = ({ blocks }: Deps): Consumer =>
  subscribe('messaging.sync-blocks', ({ data, version }) => blocks.store(data, version));
