import type { PictureFile, PictureFiles } from '@lendtools/service-kit';

/** A bucket takes as long to answer for one as for several; more would be felt by the site. */
const atOnce = 8;

/** Reads each file, some at a time, and gives it to `take`. One that is gone by then is left out. */
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
