/** The server's size limit; a larger image is scaled down before the upload. */
export const maxImageBytes = 10 * 1024 * 1024;

/** The longest side of an uploaded image, in pixels: twice the widest size at which it is shown. */
const longestSide = 2560;

/** The server's limit on the ratio of an image's sides. */
const mostOblong = 10;

export const unreadableText = 'Please choose an image file';
export const emptyText = 'This file is empty. Please choose another picture.';
export const oblongText =
  'Please choose a picture whose long side is at most ten times its short one.';
export const heicText =
  'This browser can’t read HEIC photos. Please save the photo as a JPEG first, or set your iPhone’s camera to “Most Compatible”.';

/** Windows reports no type for HEIC files, so check the extension too. */
function isHeic({ type, name }: File) {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

/** Whether a file can be uploaded without conversion. */
export function isReady(file: File): boolean {
  return (
    file.type.startsWith('image/') && !isHeic(file) && file.size > 0 && file.size <= maxImageBytes
  );
}

export function isOblong(width: number, height: number): boolean {
  return Math.max(width, height) > mostOblong * Math.min(width, height);
}

async function toJpeg(picture: ImageBitmap, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const paper = canvas.getContext('2d');
  if (!paper) return null;
  // JPEG has no transparency, so transparent pixels become white.
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

/** Converts HEIC photos, and files over 10 MB, to JPEG. The user sees the messages of the errors it throws. */
export async function readyToSend(file: File): Promise<File> {
  if (isReady(file)) return file;
  if (file.size === 0) throw new Error(emptyText);
  const heic = isHeic(file);
  if (!heic && !file.type.startsWith('image/')) throw new Error(unreadableText);
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(heic ? heicText : unreadableText);
  });
  const jpeg = await toJpeg(picture, 0.86).finally(() => picture.close());
  if (!jpeg || jpeg.size > maxImageBytes)
    throw new Error('Please choose an image of at most 10 MB');
  const name = file.name.replace(/\.\w+$/, '');
  return new File([jpeg], `${name || 'picture'}.jpg`, { type: 'image/jpeg' });
}
