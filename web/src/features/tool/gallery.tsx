import type { Tool } from '@lendtools/contracts';
import { ActionIcon, Modal, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMaximize } from '@tabler/icons-react';
import { useState } from 'react';
import { hasImage, imageSet, imageWidth } from '../../lib/images.ts';
import { useBackCloses } from '../../lib/overlay-history.ts';
import { ToolPicture } from '../../ui/tool-picture.tsx';
import classes from './gallery.module.css';

/** The cover first, then what else there is; a picture that is the text "null" is not there. */
function listPictures(tool: Tool): string[] {
  const all = [tool.cover_image, tool.image1, tool.image2, tool.image3, tool.image4];
  return [...new Set(all.filter(hasImage))];
}

interface OverlayProps {
  name: string;
  pictures: string[];
  /** Which picture is open; null when none is. */
  index: number | null;
  onChange: (index: number | null) => void;
}

function Overlay({ name, pictures, index, onChange }: OverlayProps) {
  const step = (by: number) => onChange(((index ?? 0) + by + pictures.length) % pictures.length);
  const picture = pictures[index ?? 0];
  return (
    <Modal
      opened={index !== null}
      onClose={() => onChange(null)}
      fullScreen
      title={`${name}, picture ${(index ?? 0) + 1} of ${pictures.length}`}
      closeButtonProps={{ 'aria-label': 'Close the picture', size: 'lg' }}
      classNames={{ content: classes.overlay, body: classes.overlayBody }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') step(-1);
        if (key === 'ArrowRight') step(1);
      }}
    >
      {picture && (
        <img
          src={imageWidth(picture, 1280)}
          alt={`${name}, ${(index ?? 0) + 1} of ${pictures.length}`}
          className={classes.full}
        />
      )}
      {pictures.length > 1 && (
        <>
          <ActionIcon
            className={classes.previous}
            variant="default"
            radius="xl"
            size={48}
            onClick={() => step(-1)}
            aria-label="Previous picture"
          >
            <IconChevronLeft />
          </ActionIcon>
          <ActionIcon
            className={classes.next}
            variant="default"
            radius="xl"
            size={48}
            onClick={() => step(1)}
            aria-label="Next picture"
          >
            <IconChevronRight />
          </ActionIcon>
        </>
      )}
    </Modal>
  );
}

/** The cover and up to four thumbnails; each opens in full size. */
export function Gallery({ tool }: { tool: Tool }) {
  const pictures = listPictures(tool);
  const [open, setOpen] = useState<number | null>(null);
  useBackCloses(open !== null, () => setOpen(null));
  const [cover, ...thumbnails] = pictures;
  const [isPortrait, setIsPortrait] = useState(false);
  if (!cover) return <ToolPicture tool={tool} className={classes.cover} />;
  return (
    <div className={classes.gallery}>
      <UnstyledButton
        className={classes.coverButton}
        onClick={() => setOpen(0)}
        aria-label="Show the cover in full size"
      >
        <img
          src={cover}
          srcSet={imageSet(cover)}
          sizes="(min-width: 62em) 60vw, 100vw"
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
        </span>
      </UnstyledButton>
      {thumbnails.length > 0 && (
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
      <Overlay name={tool.name} pictures={pictures} index={open} onChange={setOpen} />
    </div>
  );
}
