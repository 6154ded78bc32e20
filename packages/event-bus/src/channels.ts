import type { Channel, ChannelModel } from 'amqplib';

/** Opens a channel with an empty error listener, which keeps Node from ending the process. Errors still reject the current call. */
export const openChannel = async (connection: ChannelModel): Promise<Channel> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  return channel;
};

/**
 * Resolves once the broker has read everything sent on the channel: closing the connection directly would drop pending
 * acknowledgements. The channel's own promise never settles if the connection ends first.
 */
export const closeChannel = (channel: Channel): Promise<void> =>
  new Promise((resolve) => {
    channel.once('close', resolve);
    channel.close().catch(() => resolve());
  });
