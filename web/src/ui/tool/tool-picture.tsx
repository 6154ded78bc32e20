import { cardSizes, hasImage, imageSet } from '@lendtools/contracts/images';
import { IconTool } from '@tabler/icons-react';
import classes from './tool-picture.module.css';

interface ToolPictureProps {
  tool: { name: string; cover_image: string };
  className?: string;
  eager?: boolean;
  /** The displayed width, from which the browser selects one of three files. */
  sizes?: string;
}

export function ToolPicture({
  tool,
  className,
  eager = false,
  sizes = cardSizes,
}: ToolPictureProps) {
  if (!hasImage(tool.cover_image)) {
    return (
      <div className={`${classes.none} ${className ?? ''}`}>
        <IconTool size="28%" stroke={1.2} aria-hidden />
      </div>
    );
  }
  return (
    <img
      src={tool.cover_image}
      srcSet={imageSet(tool.cover_image)}
      sizes={sizes}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      className={`${classes.picture} ${className ?? ''}`}
    />
  );
}
