import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
let owner: Person;
let categoryId: string;
beforeAll(async () => {
  catalog = await startCatalogForTest();
  owner = await catalog.addOwner();
  categoryId = await catalog.addCategory();
});
afterAll(() => catalog.stop());

const upload = (
  files: Record<string, Buffer>,
  form = formOf({ ...toolFields, categoryId }, files),
) => catalog.http.post(`/api/user/${owner.id}/add-rental`, { token: owner.token, body: form });

const fetchImage = async (path: string): Promise<Response> => fetch(new URL(path, catalog.url));

const countTools = async (): Promise<number> =>
  (await catalog.pool.query('SELECT FROM tools')).rowCount ?? 0;

const avif = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .avif({ effort: 0, chromaSubsampling: '4:2:0' })
    .toBuffer();

describe('GET /api/images/tools-:name', () => {
  it('serves three widths of a picture with a fixed type, cacheable forever', async () => {
    const { body } = await upload({ cover_image: await picture('teal', 2000, 1500) });
    const path: string = body.rental.cover_image;

    for (const width of [320, 640, 1280]) {
      const reply = await fetchImage(path.replace('-640.', `-${width}.`));

      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('image/webp');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-disposition')).toMatch(
        new RegExp(`^inline; filename="tools-[0-9a-f]{32}-${width}.webp"$`),
      );
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const { format, width: served } = await sharp(await reply.bytes()).metadata();
      expect([format, served]).toEqual(['webp', width]);
    }
  });

  it.each([
    ['tools-00000000000000000000000000000000-640.webp', 404],
    ['tools-..%2f..%2fsecret-640.webp', 400],
    ['tools-00000000000000000000000000000000-641.webp', 400],
    ['tools-00000000000000000000000000000000-640.webp%00.png', 400],
  ])('serves nothing but pictures: %s', async (name, status) => {
    expect((await fetchImage(`/api/images/${name}`)).status).toBe(status);
  });
});

describe('the catalog service', () => {
  it('sends an uploaded picture whole, even if a range is requested', async () => {
    const { body } = await upload({ cover_image: await picture('olive', 40, 30) });
    const url = new URL(body.rental.cover_image, catalog.url);

    const reply = await fetch(url, { headers: { range: 'bytes=9999999-' } });

    expect(reply.status).toBe(200);
  });

  it('strips EXIF data (such as the location) and appended data from an uploaded picture', async () => {
    const script = '<script>alert(1)</script>';
    const tagged = await sharp(await picture())
      .jpeg()
      .withExif({ IFD0: { Copyright: script }, IFD3: { GPSLatitudeRef: 'N' } })
      .toBuffer();
    const polyglot = Buffer.concat([tagged, Buffer.from(script)]);

    const { status, body } = await upload({ cover_image: polyglot });

    expect(status).toBe(201);
    for (const width of [320, 640, 1280]) {
      const path = body.rental.cover_image.replace('-640.', `-${width}.`);
      const bytes = Buffer.from(await (await fetchImage(path)).bytes());
      expect(bytes.includes(script)).toBe(false);
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    }
  });

  it("names an uploaded picture after its content, not after the client's file name", async () => {
    const form = formOf({ ...toolFields, categoryId });
    const blob = new Blob([new Uint8Array(await picture('pink'))], { type: 'text/html' });
    form.set('cover_image', blob, '../../../../etc/passwd.html');

    const { body } = await upload({}, form);

    expect(body.rental.cover_image).toMatch(/^\/api\/images\/tools-[0-9a-f]{32}-640\.webp$/);
    expect((await fetchImage(body.rental.cover_image)).status).toBe(200);
  });

  it.each([
    ['a text', () => Buffer.from('hello'), /choose a picture/],
    ['a page', () => Buffer.from('<html><img src=x onerror=alert(1)></html>'), /choose a picture/],
    [
      'an SVG',
      () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
        ),
      /choose a picture/,
    ],
    ['an empty file', () => Buffer.alloc(0), /empty/],
    ['a very tall line', () => picture('white', 1, 20_000), /ten times/],
    ['a very wide line', () => picture('white', 20_000, 1), /ten times/],
    ['half a picture', async () => (await noise()).subarray(0, 20_000), /damaged/],
    ['a bomb of 25 megapixels and more', () => picture('white', 5_001, 5_000), /25 megapixels/],
    [
      'an AVIF of 13 megapixels, 600 bytes that take 250 MB',
      () => avif(4_000, 3_250),
      /12 megapixels/,
    ],
  ])('rejects %s as a picture, names the field and lists no tool', async (_what, make, message) => {
    const before = await countTools();

    const { status, body } = await upload({ image3: await make() });

    expect([status, body.code]).toEqual([400, 'IMAGE_REJECTED']);
    expect(body.errors).toEqual([{ msg: expect.stringMatching(message), path: 'image3' }]);
    expect(await countTools()).toBe(before);
  });

  it.each(['tiff', 'svg'])('never decodes %s uploaded as a picture', async (format) => {
    const tiff = await sharp(await picture())
      .tiff()
      .toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await upload({ cover_image: await picture() });

    // libvips blocks decoders for the whole process, this test included.
    const decoded = sharp(format === 'tiff' ? tiff : svg).metadata();

    await expect(decoded).rejects.toThrow('unsupported image format');
  });

  it('accepts a long and narrow picture', async () => {
    const { status, body } = await upload({ cover_image: await picture('tan', 1_500, 15_000) });

    const reply = await fetchImage(body.rental.cover_image.replace('-640.', '-1280.'));
    const { width, height } = await sharp(await reply.bytes()).metadata();
    expect([status, width, height]).toEqual([201, 1280, 12_800]);
  });

  it('accepts a form with an empty picture field', async () => {
    const form = formOf({ ...toolFields, categoryId }, { cover_image: await picture() });
    form.set('image1', new Blob([]), '');

    expect((await upload({}, form)).status).toBe(201);
  });

  it('rejects a picture above 10 MB', async () => {
    const { status, body } = await upload({ image1: Buffer.alloc(10 * 1024 * 1024 + 1) });

    expect([status, body.errors[0].path]).toEqual([413, 'image1']);
    expect(body.message).toBe('Please choose a picture of at most 10 MB.');
  });

  it('rejects a picture in a sixth field, and two pictures in one field', async () => {
    const small = await picture();
    const fields = ['cover_image', 'image1', 'image2', 'image3', 'image4'];
    const five = Object.fromEntries(fields.map((name) => [name, small]));
    const twice = formOf({ ...toolFields, categoryId }, { cover_image: small });
    twice.append('cover_image', new Blob([new Uint8Array(small)]), 'again.png');

    const statuses = [
      (await upload(five)).status,
      (await upload({ ...five, image5: small })).status,
      (await upload({}, twice)).status,
    ];

    expect(statuses).toEqual([201, 400, 400]);
  });
});

/** A picture that does not compress, so that half of its bytes contain half of its pixels. */
const noise = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
