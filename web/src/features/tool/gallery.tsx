import type { Tool } from '@lendtools/contracts';
import { coverSizes, hasImage, imageSet, imageWidth } from '@lendtools/contracts/images';
import { UnstyledButton } from '@mantine/core';
import { IconMaximize } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './gallery.module.css';

/** Lists the tool's pictures. For a missing picture, the API sends the text "null". */
function listPictures(tool: Tool): string[] {
  const all = [tool.cover_image, tool.image1, tool.image2, tool.image3, tool.image4];
  return [...new Set(all.filter(hasImage))];
}

function loadFullSize() {
  return import('./full-size.tsx');
}

const FullSize = lazy(loadFullSize);

export function Gallery({ tool }: { tool: Tool }) {
  const pictures = listPictures(tool);
  const [open, setOpen] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  if (open !== null && !wasOpened) setWasOpened(true);
  useBackCloses(open !== null, () => setOpen(null));
  // A single thumbnail would look like the cover again; the full size leads to it.
  const [cover, ...thumbnails] = pictures;
  const [isPortrait, setIsPortrait] = useState(false);
  if (!cover) return <ToolPicture tool={tool} className={classes.cover} />;
  return (
    <div className={classes.gallery} {...whenNear(loadFullSize)}>
      <UnstyledButton
        className={classes.coverButton}
        onClick={() => setOpen(0)}
        aria-label="Show the cover in full size"
      >
        <img
          src={cover}
          srcSet={imageSet(cover)}
          sizes={coverSizes}
          alt={tool.name}
          className={classes.cover}
          data-portrait={isPortrait || undefined}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setIsPortrait(naturalHeight > naturalWidth)
          }
        />
        {isPortrait && (
          <img src={imageWidth(cover, 320)} alt="" className={classes.backdrop} aria-hidden />
        )}
        <span className={classes.hint} aria-hidden>
          <IconMaximize size={18} />
          {pictures.length > 1 && `1 of ${pictures.length}`}
        </span>
      </UnstyledButton>
      {thumbnails.length > 1 && (
        <div className={classes.thumbnails}>
          {thumbnails.map((picture, index) => (
            <UnstyledButton
              key={picture}
              className={classes.thumbnail}
              onClick={() => setOpen(index + 1)}
              aria-label={`Show picture ${index + 2} in full size`}
            >
              <img src={imageWidth(picture, 320)} alt="" loading="lazy" />
            </UnstyledButton>
          ))}
        </div>
      )}
      <Part>
        {wasOpened && (
          <FullSize name={tool.name} pictures={pictures} index={open} onChange={setOpen} />
        )}
      </Part>
    </div>
  );
}
