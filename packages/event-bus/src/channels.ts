import type { Channel, ChannelModel } from 'amqplib';

/** The caller learns of an error from the call that fails; Node would end the process for the event as well. */
export const openChannel = async (connection: ChannelModel): Promise<Channel> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  return channel;
};

/**
 * Resolves once the broker has read everything that was sent: the end of a connection overtakes acknowledgements on
 * its channels. The channel's own promise never settles if the connection ends meanwhile.
 */
export const closeChannel = (channel: Channel): Promise<void> =>
  new Promise((resolve) => {
    channel.once('close', resolve);
    channel.close().catch(() => resolve());
  });
