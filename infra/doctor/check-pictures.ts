import { access, constants, readdir, statfs } from 'node:fs/promises';
import { picturePrefixes } from '@lendtools/contracts';
import { type Bucket, isBucketUrl, openBucket, S3Error } from '@lendtools/service-kit';
import { placeOf, reasonOf, type Say, type Subject } from './finding.ts';

const leastFreeBytes = 1024 ** 3;

/** The folder of pictures: that it can be written to, and how much room is left. */
export const checkPictures = async ({ env }: Subject, say: Say): Promise<void> => {
  const folder = env.IMAGES_DIR as string;
  try {
    await access(folder, constants.W_OK);
  } catch {
    return say.wrong(
      `${folder} is not there, or may not be written to`,
      'Mount the volume of pictures there, for the user that the service runs as.',
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const gigabytes = (bavail * bsize) / 1024 ** 3;
  if (bavail * bsize < leastFreeBytes)
    say.wrong(`${folder} has ${gigabytes.toFixed(1)} GB left`, 'Make room, or a larger volume.');
  else say.fine(`${folder}, ${gigabytes.toFixed(0)} GB left`);
  if (!env.S3_URL) return;
  // The top of a volume may hold others, such as lost+found.
  const isPicture = (name: string): boolean =>
    Object.values(picturePrefixes).some((prefix) => name.startsWith(`${prefix}-`));
  const left = (await readdir(folder)).filter(isPicture).length;
  if (left > 0)
    say.wrong(
      `${left} files are still in ${folder}, and new ones go to the bucket`,
      'Run `npm run move-pictures`.',
    );
};

/** The bucket of pictures: that it is there, and that its key may do what the service does with it. It is left as it was. */
export const checkBucket = async ({ name: service, env }: Subject, say: Say): Promise<void> => {
  const url = env.S3_URL as string;
  // The check of the settings has said so.
  if (!isBucketUrl(url)) return;
  const bucket = await openBucket(url);
  // Where it could not be deleted, the next run puts no second one beside it.
  const name = `doctor-${service}`;
  const tries: [right: string, action: string, run: () => Promise<unknown>][] = [
    ['list', 's3:ListBucket', () => bucket.check()],
    ['put', 's3:PutObject', () => bucket.put(name, Buffer.from('of the doctor'))],
    ['get', 's3:GetObject', () => getBack(bucket, name)],
    ['delete', 's3:DeleteObject', () => bucket.delete(name)],
  ];
  const allowed = new Set<string>();
  for (const [right, action, run] of tries) {
    if (right === 'get' && !allowed.has('put')) continue;
    try {
      await run();
      allowed.add(right);
    } catch (error) {
      const { code = '' } = error as Partial<S3Error>;
      const [says, todo, isForAll] = explain(code, action) ?? [
        reasonOf(error),
        'Look at the S3 server, and at what lies between.',
        true,
      ];
      say.wrong(`the bucket ${placeOf(url)}, asked to ${right}: ${says}`, todo);
      if (isForAll) return;
    }
  }
  if (allowed.size === tries.length) say.fine(`${placeOf(url)}: list, put, get and delete`);
};

const getBack = async (bucket: Bucket, name: string): Promise<void> => {
  if ((await (await bucket.get(name))?.text()) !== 'of the doctor')
    throw new S3Error('it gives back something else', 'NotTheSame');
};

/** In words, what to do, and whether there is any use in asking for more. */
const explain = (code: string, action: string): [string, string, isForAll?: true] | undefined => {
  switch (code) {
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'HTTP403':
      return ['is not allowed', `Allow the key of S3_URL ${action} on this bucket.`];
    case 'NotTheSame':
      return ['gives back something else', 'Look at the S3 server, and at what lies between.'];
    case 'NoSuchBucket':
      return ['does not exist', 'Make the bucket, or correct S3_URL.', true];
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return [
        'refuses the key or its secret',
        'Copy both into S3_URL anew, `/` as %2F and `+` as %2B.',
        true,
      ];
    case 'RequestTimeTooSkewed':
      return [
        "has another time than this machine's clock",
        'Let both keep their time by NTP.',
        true,
      ];
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return ['is in another region', 'Add ?region=… to S3_URL.', true];
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'TimeoutError':
      return [reasonOf({ code, name: code }), 'Start the S3 server, or correct S3_URL.', true];
  }
};
