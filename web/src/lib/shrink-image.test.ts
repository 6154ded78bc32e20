import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { emptyText, heicText, maxImageBytes, readyToSend, unreadableText } from './shrink-image.ts';

const fileOf = (bytes: number, name: string, type: string) => {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
};

const decoded = { width: 8000, height: 6000, close: jest.fn() };
let drawn: number[];
beforeEach(() => {
  drawn = [];
  Object.assign(globalThis, { createImageBitmap: jest.fn(async () => decoded) });
  HTMLCanvasElement.prototype.getContext = (() => ({
    fillRect: () => {},
    drawImage: (...[, , , width, height]: number[]) => drawn.push(width ?? 0, height ?? 0),
  })) as never;
  HTMLCanvasElement.prototype.toBlob = (done, type) => done(new Blob(['small'], { type }));
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'createImageBitmap');
});

describe('a chosen picture', () => {
  it('is sent as it is up to 10 MB', async () => {
    const file = fileOf(maxImageBytes, 'saw.png', 'image/png');

    expect(await readyToSend(file)).toBe(file);
    expect(drawn).toEqual([]);
  });

  it('is scaled down over 10 MB, keeping its proportions', async () => {
    const sent = await readyToSend(fileOf(maxImageBytes + 1, 'IMG 1.PNG', 'image/png'));

    expect(drawn).toEqual([2560, 1920]);
    expect(sent).toMatchObject({ name: 'IMG 1.jpg', type: 'image/jpeg', size: 5 });
    expect(decoded.close).toHaveBeenCalled();
  });

  it('is converted from HEIC to JPEG if the browser can read it, and rejected otherwise', async () => {
    const photo = () => fileOf(2_000_000, 'IMG_0042.HEIC', '');

    expect(await readyToSend(photo())).toMatchObject({ name: 'IMG_0042.jpg', type: 'image/jpeg' });

    jest.mocked(createImageBitmap).mockRejectedValue(new Error('undecodable'));
    await expect(readyToSend(photo())).rejects.toThrow(heicText);
  });

  it('is rejected as empty if the file is, whatever its name', async () => {
    await expect(readyToSend(fileOf(0, 'saw.png', 'image/png'))).rejects.toThrow(emptyText);
    await expect(readyToSend(fileOf(0, 'IMG_0042.HEIC', ''))).rejects.toThrow(emptyText);
  });

  it('is rejected if it is no image', async () => {
    await expect(readyToSend(fileOf(9, 'list.pdf', 'application/pdf'))).rejects.toThrow(
      unreadableText,
    );
    jest.mocked(createImageBitmap).mockRejectedValue(new Error('undecodable'));
    const named = fileOf(maxImageBytes + 1, 'film.png', 'image/png');
    await expect(readyToSend(named)).rejects.toThrow(unreadableText);
  });
});
