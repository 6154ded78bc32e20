import { access, constants, readdir, statfs } from 'node:fs/promises';
import { picturePrefixes } from '@lendtools/contracts';
import { type Bucket, isBucketUrl, openBucket, S3Error } from '@lendtools/service-kit';
import { placeOf, reasonOf, type Say, type Subject } from './finding.ts';

const leastFreeBytes = 1024 ** 3;

export async function checkPictures({ env }: Subject, say: Say): Promise<void> {
  const folder = env.IMAGES_DIR as string;
  try {
    await access(folder, constants.W_OK);
  } catch {
    return say.wrong(
      `${folder} does not exist or is not writable`,
      'Mount the volume for pictures there, owned by the user that the service runs as.',
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const gigabytes = (bavail * bsize) / 1024 ** 3;
  if (bavail * bsize < leastFreeBytes)
    say.wrong(
      `${folder} has ${gigabytes.toFixed(1)} GB left`,
      'Free some space, or use a larger volume.',
    );
  else say.fine(`${folder}, ${gigabytes.toFixed(0)} GB left`);
  if (!env.S3_URL) return;
  // Count only pictures: a volume's root may contain other entries, such as lost+found.
  const isPicture = (name: string): boolean =>
    Object.values(picturePrefixes).some((prefix) => name.startsWith(`${prefix}-`));
  const left = (await readdir(folder)).filter(isPicture).length;
  if (left > 0)
    say.wrong(
      `${left} files are still in ${folder}, and new ones go to the bucket`,
      'Run `npm run move-pictures`.',
    );
}

/** Tests every permission that the service needs. Leaves the bucket unchanged. */
export async function checkBucket({ name: service, env }: Subject, say: Say): Promise<void> {
  const url = env.S3_URL as string;
  if (!isBucketUrl(url)) return;
  const bucket = await openBucket(url);
  // The name is fixed, so that test objects that could not be deleted don't accumulate.
  const name = `doctor-${service}`;
  const tries: [right: string, action: string, run: () => Promise<unknown>][] = [
    ['list', 's3:ListBucket', () => bucket.check()],
    ['put', 's3:PutObject', () => bucket.put(name, Buffer.from('of the doctor'))],
    ['get', 's3:GetObject', () => verifyContent(bucket, name)],
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
        'Check the S3 server and the network in between.',
        true,
      ];
      say.wrong(`the bucket ${placeOf(url)}, on ${right}: ${says}`, todo);
      if (isForAll) return;
    }
  }
  if (allowed.size === tries.length) say.fine(`${placeOf(url)}: list, put, get and delete`);
}

async function verifyContent(bucket: Bucket, name: string): Promise<void> {
  if ((await (await bucket.get(name))?.text()) !== 'of the doctor')
    throw new S3Error('it returned other content', 'NotTheSame');
}

/** @returns the problem, its remedy, and whether all later requests would fail for the same reason */
function explain(code: string, action: string): [string, string, isForAll?: true] | undefined {
  switch (code) {
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'HTTP403':
      return ['is not allowed', `Allow the key of S3_URL ${action} on this bucket.`];
    case 'NotTheSame':
      return ['returns other content', 'Check the S3 server and the network in between.'];
    case 'NoSuchBucket':
      return ['does not exist', 'Create the bucket, or correct S3_URL.', true];
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return [
        'rejects the key or its secret',
        'Copy both into S3_URL again, `/` as %2F and `+` as %2B.',
        true,
      ];
    case 'RequestTimeTooSkewed':
      return ["has a clock that differs from this machine's", 'Synchronize both with NTP.', true];
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return ['is in another region', 'Add ?region=… to S3_URL.', true];
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'TimeoutError':
      return [reasonOf({ code, name: code }), 'Start the S3 server, or correct S3_URL.', true];
  }
}
