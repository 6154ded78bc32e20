import { type ChannelModel, connect } from 'amqplib';

/**
 * Closes the connection after the work.
 * @throws the error of `work`, or of the connection if it breaks first
 */
export const onConnection = async <T>(
  url: string,
  work: (connection: ChannelModel) => Promise<T>,
  { timeout = 5_000 }: { timeout?: number } = {},
): Promise<T> => {
  const connection = await connect(url, { noDelay: true, timeout });
  let failure = new Error('The connection to RabbitMQ ended');
  // Without a listener, an error would end the process.
  connection.on('error', (error) => {
    failure = error;
  });
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  const broken = closed.then(() => Promise.reject(failure));
  try {
    return await Promise.race([work(connection), broken]);
  } finally {
    // Don't wait only for the call: closing a connection that has ended never settles.
    await Promise.race([connection.close().catch(() => {}), closed]);
  }
};
