import { picturePrefixes } from '@lendtools/contracts';
import { openPictures, type PictureSettings } from '@lendtools/service-kit';
import { copyPictures } from './copy-pictures.ts';

export interface Moved {
  /** Files that the bucket has, each compared byte by byte, and the folder has no more. */
  moved: number;
  bytes: number;
}

const tellEvery = 1_000;

/**
 * Moves a service's picture files from its folder to its bucket, while its replicas run: these look into the folder, then
 * into the bucket, and a file leaves the one only once it was read back from the other. After an end at any moment the
 * next run goes on with what is left.
 * @throws Error when the bucket gives back something else than it was given, or does not answer
 */
export const movePictures = async (
  service: keyof typeof picturePrefixes,
  settings: PictureSettings,
  tell: (soFar: Moved) => void = () => {},
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
    if (sum.moved % tellEvery === 0) tell(sum);
  });
  return sum;
};
