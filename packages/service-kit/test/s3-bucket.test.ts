import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openPictures } from '../src/picture-files.ts';
import { isBucketUrl, openBucket } from '../src/s3-bucket.ts';

let server: Server;

const startServer = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/pictures`;
};
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe('openBucket, with an S3 server whose replies stall', () => {
  it('gives up a stalled reply within a minute, unless the reply is a picture', async () => {
    const bucket = await openBucket(
      await startServer(({ method }, response) => {
        response.writeHead(method === 'DELETE' ? 403 : 200, { 'content-length': '1000' });
        response.write('<Error>');
      }),
    );
    const began = performance.now();

    const ends = await Promise.allSettled([
      bucket.put('tools-1', Buffer.from('x')),
      bucket.check(),
      bucket.delete('tools-1'),
    ]);
    const tookMs = performance.now() - began;
    const picture = await bucket.get('tools-1');

    expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
      ends.map(() => 'TimeoutError'),
    );
    expect(tookMs).toBeLessThan(60_000);
    expect(picture?.status).toBe(200);
  });
});

describe('openBucket, with an S3 server that answers 404 to DELETE', () => {
  it('treats the object as deleted', async () => {
    const requested: string[] = [];
    const url = await startServer(({ method = '' }, response) => {
      requested.push(method);
      response.writeHead(404).end(method === 'DELETE' ? '<Code>NoSuchKey</Code>' : '');
    });
    const [files] = await openPictures({ S3_URL: url }, 'tools');

    const removed = [await files.remove('tools-1'), await files.remove('tools-1', allTimes)];

    expect(removed).toEqual([true, false]);
    expect(requested).toEqual(['DELETE', 'HEAD']);
  });

  it('throws an error if the bucket does not exist', async () => {
    const url = await startServer((_request, response) => {
      response.writeHead(404).end('<Code>NoSuchBucket</Code>');
    });
    const bucket = await openBucket(url);

    await expect(bucket.delete('tools-1')).rejects.toMatchObject({ code: 'NoSuchBucket' });
  });
});

const allTimes = { since: 0, before: Number.MAX_SAFE_INTEGER };

describe('isBucketUrl', () => {
  it.each(['http://a%:b@host/bucket', 'http://a:b%zz@host/bucket'])(
    'rejects a malformed %% escape: %s',
    (url) => {
      expect(isBucketUrl(url)).toBe(false);
    },
  );

  it('accepts an escaped secret', () => {
    expect(isBucketUrl('http://a:b%2Fc@host/bucket')).toBe(true);
  });
});
