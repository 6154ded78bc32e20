import { picturePrefixes } from '@lendtools/contracts';
import { openPictures, type PictureSettings } from '@lendtools/service-kit';
import { copyPictures } from './copy-pictures.ts';

export interface Moved {
  /** Files that are now only in the bucket, with identical content. */
  moved: number;
  bytes: number;
}

const reportEvery = 1_000;

/**
 * Moves a service's pictures from its folder to its bucket while replicas run and look in both. A file leaves the
 * folder only after it was read back from the bucket. An interrupted move can be run again.
 * @throws Error if the bucket returns other content or is unreachable
 */
export const movePictures = async (
  service: keyof typeof picturePrefixes,
  settings: PictureSettings,
  report: (soFar: Moved) => void = () => {},
): Promise<Moved> => {
  const [folder, bucket] = await openPictures(settings, picturePrefixes[service]);
  if (!bucket)
    throw new Error(`Moving the pictures of ${service} takes both their folder and their bucket.`);
  const sum: Moved = { moved: 0, bytes: 0 };
  await copyPictures(folder, async ({ name }, { content, savedAtMs }) => {
    const isThere = async () => (await bucket.read(name))?.content.equals(content);
    if (!(await isThere())) {
      await bucket.write(name, content, savedAtMs);
      if (!(await isThere()))
        throw new Error(`The bucket changed ${name}. It stays in the folder.`);
    }
    await folder.remove(name);
    sum.moved++;
    sum.bytes += content.length;
    if (sum.moved % reportEvery === 0) report(sum);
  });
  return sum;
};
