import { type ChannelModel, connect } from 'amqplib';

/**
 * Does some work on a connection to RabbitMQ of its own, which it closes afterwards.
 * @throws what `work` throws, or the connection's error when it breaks, whatever `work` is waiting for
 */
export const onConnection = async <T>(
  url: string,
  work: (connection: ChannelModel) => Promise<T>,
  { timeout = 5_000 }: { timeout?: number } = {},
): Promise<T> => {
  const connection = await connect(url, { noDelay: true, timeout });
  let failure = new Error('The connection to RabbitMQ ended');
  // Without a listener an error would end the process.
  connection.on('error', (error) => {
    failure = error;
  });
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  const broken = closed.then(() => Promise.reject(failure));
  try {
    return await Promise.race([work(connection), broken]);
  } finally {
    // Closing a connection that is gone never settles.
    await Promise.race([connection.close().catch(() => {}), closed]);
  }
};
