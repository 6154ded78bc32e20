import type { PictureFile, PictureFiles } from '@lendtools/service-kit';

/** This many concurrent copies hide the latency of a bucket. More would slow down the site. */
const atOnce = 8;

/** Passes each file to `take`, several at a time. Skips files that are deleted meanwhile. */
export const copyPictures = async (
  from: PictureFiles,
  take: (
    file: PictureFile,
    copy: NonNullable<Awaited<ReturnType<PictureFiles['read']>>>,
  ) => Promise<void>,
): Promise<void> => {
  const files = from.list()[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const copy = await from.read(next.value.name);
      if (copy) await take(next.value, copy);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};
