import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import type PDFDocument from 'pdfkit';

const marginPt = 54;
const pageWidthPt = 612;
const widthPt = pageWidthPt - 2 * marginPt;
const amountWidthPt = 100;
const ink = '#211d18';
const quiet = '#564d43';
const line = '#d9cfc0';

/** A title with its details, and an amount on the right. */
export interface PdfRow {
  title: string;
  details: string[];
  amountCents: number;
}

interface PdfFile {
  title: string;
  date: string;
  site: string;
}

/** Writes a file with a heading and numbered pages. The same input gives the same bytes. */
export const writePdf = async (
  { title, date, site }: PdfFile,
  write: (page: PdfWriter) => void | Promise<void>,
): Promise<Buffer> => {
  const document = await openDocument(title, date);
  const page = writerOf(document);
  page.heading(title, new URL(site).host);
  await write(page);
  page.numberPages(title);
  document.end();
  return buffer(document);
};

/** Created on first use, because a process's first format loads 7 MB of ICU data. */
let money: Intl.NumberFormat | undefined;
export const dollars = (cents: number): string => {
  money ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return money.format(cents / 100);
};

type Document = InstanceType<typeof PDFDocument>;

/** Loads PDFKit and the fonts for the first file only, so that a replica starts faster. */
const load = async () => {
  const require = createRequire(import.meta.url);
  const font = (name: string) => readFile(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  const [{ default: Kit }, regular, bold] = await Promise.all([
    import('pdfkit'),
    // DejaVu Sans has Latin, Greek, Cyrillic, Hebrew and Arabic letters. Others are drawn as boxes.
    font('DejaVuSans'),
    font('DejaVuSans-Bold'),
  ]);
  return { Kit, regular, bold };
};
let loading: ReturnType<typeof load> | undefined;

const openDocument = async (title: string, date: string): Promise<Document> => {
  loading ??= load();
  const { Kit, regular, bold } = await loading;
  const document = new Kit({
    size: 'LETTER',
    margin: marginPt,
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    // No default font: PDFKit would load Helvetica, or parse ours again at each change of the font.
    font: null as unknown as string,
    info: { Title: title, Author: 'LendTools', CreationDate: new Date(date) },
  });
  document.registerFont('regular', regular);
  document.registerFont('bold', bold);
  return document;
};

export type PdfWriter = ReturnType<typeof writerOf>;

const writerOf = (document: Document) => {
  const put = (
    text: string,
    {
      bold = false,
      size = 10,
      color = ink,
      ...options
    }: PDFKit.Mixins.TextOptions & { bold?: boolean; size?: number; color?: string } = {},
  ): void => {
    document.font(bold ? 'bold' : 'regular', size).fillColor(color);
    document.text(text, options);
  };
  const bottomPt = () => document.page.height - marginPt;
  const breakIf = (heightPt: number): void => {
    if (document.y + heightPt > bottomPt()) document.addPage();
  };
  /** Writes two texts beside each other, and continues below the higher one. After a page break, the right one is below. */
  const beside = (left: () => void, right: () => void): void => {
    const { y, page } = document;
    left();
    const leftEnd = document.y;
    if (document.page === page) document.y = y;
    right();
    document.y = Math.max(document.y, leftEnd);
    document.x = marginPt;
  };
  const rightAligned = (text: string, bold: boolean): void => {
    document.x = marginPt + widthPt - amountWidthPt;
    put(text, { bold, width: amountWidthPt, align: 'right', lineBreak: false });
  };
  const textWidthPt = widthPt - amountWidthPt - 12;

  return {
    heading(title: string, host: string): void {
      put('LendTools', { bold: true, size: 12 });
      put(host, { color: quiet });
      document.moveDown(1.5);
      put(title, { bold: true, size: 18 });
      document.moveDown(0.5);
    },
    fact(name: string, value: string): void {
      breakIf(40);
      beside(
        () => put(name, { color: quiet, width: 90 }),
        () => {
          document.x = marginPt + 100;
          put(value, { width: widthPt - 100 });
        },
      );
    },
    rule(): void {
      breakIf(60);
      document.moveDown(0.6);
      document
        .moveTo(marginPt, document.y)
        .lineTo(marginPt + widthPt, document.y)
        .strokeColor(line)
        .stroke();
      document.moveDown(0.6);
    },
    /** A row stays on one page. */
    row({ title, details, amountCents }: PdfRow): void {
      const width = textWidthPt;
      document.font('bold', 10);
      const titlePt = document.heightOfString(title, { width });
      document.font('regular', 9);
      const detailsPt = details.map((text) => document.heightOfString(text, { width }));
      breakIf(detailsPt.reduce((sum, height) => sum + height, titlePt) + 8);
      beside(
        () => {
          put(title, { bold: true, width });
          for (const text of details) put(text, { size: 9, color: quiet, width });
        },
        () => rightAligned(dollars(amountCents), false),
      );
      document.moveDown(0.5);
    },
    amount(name: string, cents: number, bold = false): void {
      breakIf(20);
      beside(
        () => put(name, { bold, width: textWidthPt }),
        () => rightAligned(dollars(cents), bold),
      );
    },
    text(text: string): void {
      breakIf(30);
      put(text, { size: 9, color: quiet, width: widthPt });
    },
    numberPages(title: string): void {
      const { start, count } = document.bufferedPageRange();
      if (count === 1) return;
      for (let index = 0; index < count; index++) {
        document.switchToPage(start + index);
        // Without a bottom margin, PDFKit would add a page for text at the bottom.
        document.page.margins.bottom = 0;
        document.x = marginPt;
        document.y = document.page.height - marginPt + 20;
        put(`${title}, page ${index + 1} of ${count}`, { size: 8, color: quiet, lineBreak: false });
      }
    },
  };
};
