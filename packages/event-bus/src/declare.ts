import { serviceNames } from '@lendtools/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { closeChannel, openChannel } from './channels.ts';
import {
  commonDeclarations,
  type Declarations,
  declarationsOf,
  type Topology,
} from './topology.ts';

const notFound = 404;

/** Declares missing queues. Skips existing ones: RabbitMQ rejects other arguments, and a newer version may have changed them. */
export const declare = async (
  connection: ChannelModel,
  { exchanges, queues, bindings }: Declarations,
): Promise<void> => {
  const missing = await findMissing(
    connection,
    queues.map(({ name }) => name),
  );
  const channel = await openChannel(connection);
  for (const { name, type } of exchanges) await channel.assertExchange(name, type);
  for (const { name, arguments: args } of queues)
    if (missing.has(name)) await channel.assertQueue(name, { arguments: args });
  for (const { source, to, name, key } of bindings)
    await (to === 'queue'
      ? channel.bindQueue(name, source, key)
      : channel.bindExchange(name, source, key));
  await closeChannel(channel);
};

export const declareAll = async (connection: ChannelModel, topology: Topology): Promise<void> => {
  await declare(connection, commonDeclarations());
  for (const service of serviceNames) await declare(connection, declarationsOf(service, topology));
};

/** Returns the missing queues. Checking a missing queue closes the channel, so the next check opens a new one. */
export const findMissing = async (
  connection: ChannelModel,
  names: readonly string[],
): Promise<Set<string>> => {
  const missing = new Set<string>();
  let channel: Channel | undefined;
  for (const name of names) {
    channel ??= await openChannel(connection);
    try {
      await channel.checkQueue(name);
    } catch (error) {
      if ((error as { code?: number }).code !== notFound) throw error;
      missing.add(name);
      channel = undefined;
    }
  }
  if (channel) await closeChannel(channel);
  return missing;
};
