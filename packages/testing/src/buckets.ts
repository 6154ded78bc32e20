import { randomUUID } from 'node:crypto';
import { type Bucket, openBucket } from '@lendtools/service-kit';
import { AwsClient } from 'aws4fetch';
import { testServers } from './servers.ts';

export interface TestBucket extends Bucket {
  url: string;
  drop(): Promise<void>;
}

export const createBucket = async (): Promise<TestBucket> => {
  const { origin, username, password } = new URL(testServers().s3Url);
  const client = new AwsClient({
    accessKeyId: username,
    secretAccessKey: password,
    service: 's3',
  });
  const name = `test-${randomUUID()}`;
  const change = async (method: string): Promise<void> => {
    const reply = await client.fetch(`${origin}/${name}`, { method });
    if (!reply.ok) throw new Error(`${method} of a bucket: ${reply.status} ${await reply.text()}`);
  };
  await change('PUT');
  const url = `${origin.replace('//', `//${username}:${password}@`)}/${name}/pictures`;
  const bucket = await openBucket(url);
  return {
    ...bucket,
    url,
    async drop() {
      for await (const object of bucket.list('')) await bucket.delete(object.name);
      await change('DELETE');
    },
  };
};
