import type { Channel, ChannelModel } from 'amqplib';

/**
 * Errors reach the caller as a rejected call. Without a listener for the event, Node would end the process as well.
 */
export const openChannel = async (connection: ChannelModel): Promise<Channel> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  return channel;
};

/**
 * Closes a channel. Resolves once the broker has read everything sent on it, because closing the connection directly
 * would drop pending acknowledgements. The channel's own promise never settles if the connection ends first.
 */
export const closeChannel = (channel: Channel): Promise<void> =>
  new Promise((resolve) => {
    channel.once('close', resolve);
    channel.close().catch(() => resolve());
  });
