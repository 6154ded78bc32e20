import { imageWidth } from '@lendtools/contracts/images';
import { ActionIcon, Modal } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './gallery.module.css';

interface FullSizeProps {
  name: string;
  pictures: string[];
  index: number | null;
  onChange: (index: number | null) => void;
}

export default function FullSize({ name, pictures, index, onChange }: FullSizeProps) {
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
