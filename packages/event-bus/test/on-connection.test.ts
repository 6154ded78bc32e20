import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestBroker, type TestBroker } from '@lendtools/testing';
import { onConnection } from '../src/on-connection.ts';

let spy: TestBroker;
beforeAll(async () => {
  spy = await createTestBroker();
});
afterAll(() => spy.drop());

it('onConnection fails when the connection breaks during the work', async () => {
  const work = onConnection(spy.url, () => new Promise(() => {}));

  await Promise.all([spy.cutConnections(), expect(work).rejects.toThrow()]);
});

it('onConnection fails with the error of its work, and closes the connection', async () => {
  let isClosed = false;

  const work = onConnection(spy.url, async (connection) => {
    connection.once('close', () => {
      isClosed = true;
    });
    throw new Error('no such queue');
  });

  await expect(work).rejects.toThrow('no such queue');
  expect(isClosed).toBe(true);
});
