import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { marketplace } from '../src/marketplace.ts';
import { anyCategory, formOf, newPerson, type Person } from '../src/people.ts';
import { describe, observe, type Reply, requestFrom, statusesOf } from './request-from.ts';

const uploadsAtOnce = 20;
const forMs = 30_000;
/** The allowed growth of the catalog service's memory: half of its limit in Docker, 512 MB. */
const mostGrowthMb = 256;
const imageFields = ['cover_image', 'image1', 'image2', 'image3', 'image4'];

/** Creates the largest allowed picture: noise of 25 megapixels, in a file just below 10 MB. */
const largestPicture = async (): Promise<Buffer> => {
  const [width, height] = [5_000, 5_000];
  const noise = randomBytes(width * height * 3);
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 48 })
    .toBuffer();
};

const usualPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 2_000, height: 1_500, channels: 3, background: 'steelblue' } })
    .jpeg()
    .toBuffer();

interface Form {
  body: Buffer;
  type: string;
}

const formFor = async (pictures: Buffer[]): Promise<Form> => {
  const fields = {
    name: `Ladder ${randomUUID()}`,
    description: 'It reaches the gutter.',
    price: 5,
    rental_circle: 'daily',
    quantity: 1,
    categoryId: await anyCategory(),
    ...Object.fromEntries(
      pictures.map((bytes, i) => [imageFields[i], new Blob([new Uint8Array(bytes)])]),
    ),
  };
  const encoded = new Response(formOf(fields));
  const type = encoded.headers.get('content-type') ?? '';
  return { body: Buffer.from(await encoded.arrayBuffer()), type };
};

const upload = (from: string, { id, token }: Person, { body, type }: Form): Promise<Reply> =>
  requestFrom(from, {
    method: 'POST',
    path: `/api/user/${id}/add-rental`,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  });

const catalogMb = (): number => {
  const replicas = marketplace().processes.filter(({ name }) => name === 'catalog');
  const used = replicas.map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  });
  return Math.max(...used);
};

const watchMemory = async (over: AbortSignal): Promise<number> => {
  let peak = 0;
  while (!over.aborted) {
    peak = Math.max(peak, catalogMb());
    await delay(50);
  }
  return peak;
};

/** One user sends twenty concurrent uploads of five pictures, from four networks, while a neighbor lists tools. */
export const attackByUploads = async (): Promise<boolean> => {
  const [attacker, neighbor] = [await newPerson(), await newPerson()];
  const picture = await largestPicture();
  const large = await formFor(Array(imageFields.length).fill(picture));
  const usual = await formFor([await usualPicture()]);
  await upload('127.0.0.9', neighbor, usual);
  await delay(5_000);
  const restMb = catalogMb();

  const over = AbortSignal.timeout(forMs);
  const replies: Reply[] = [];
  const attack = async (i: number) => {
    while (!over.aborted) {
      replies.push(await upload(`127.0.0.${2 + (i % 4)}`, attacker, large));
      await delay(200);
    }
  };
  const peak = watchMemory(over);
  const listed = observe(() => upload('127.0.0.9', neighbor, usual), { over, expected: 201 });
  await Promise.all(Array.from({ length: uploadsAtOnce }, (_, i) => attack(i)));
  const [peakMb, observed] = [await peak, await listed];

  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  console.log(
    `uploads: ${uploadsAtOnce} at a time of ${mb(large.body.length)}, one account, 4 networks`,
  );
  console.log(`  catalog: ${restMb.toFixed(0)} MB at rest, ${peakMb.toFixed(0)} MB at most`);
  console.log(`  the attacker's uploads: ${statusesOf(replies)}`);
  console.log(describe("a neighbor's uploads", observed));
  return observed.failed === 0 && peakMb - restMb < mostGrowthMb;
};
