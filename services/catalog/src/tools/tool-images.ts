import type { ImageStore } from '@lendtools/service-kit';
import { type ImageChanges, imageFields } from '../domain/tool.ts';

/** @throws AppError 400 IMAGE_REJECTED naming the field */
export const saveToolImages = async (
  store: ImageStore,
  uploads: Record<string, Buffer>,
  uploaderId: string,
): Promise<ImageChanges> => {
  const saved: ImageChanges = {};
  for (const field of imageFields) {
    const bytes = uploads[field];
    if (bytes) saved[field] = await store.save(field, bytes, uploaderId);
  }
  return saved;
};
